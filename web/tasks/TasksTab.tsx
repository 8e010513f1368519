import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { taskRoutes } from '#contract/tasks.ts'
import { LinkedCount } from '#web/records/links/LinkedCount.tsx'
import { LinkedTasks } from './LinkedTasks.tsx'
import { tasksTable } from './queries.ts'
import classes from './tasks.module.css'

/** The tab of a contact's page with the tasks of the contact. */
export const TasksTab = ({ contactId }: { contactId: string }) => (
  <div className={classes['tab']}>
    <Button
      renderRoot={(props) => <Link to="/crm/tasks/new" search={{ contact: contactId }} {...props} />}
      variant="default"
      leftSection={<IconPlus size={16} stroke={1.75} />}
    >
      Add task
    </Button>
    <LinkedTasks
      field="contact_id"
      id={contactId}
      getDetail={({ deal_title }) => deal_title}
      emptyText="Nothing is to be done for this contact."
    />
  </div>
)

export const TasksCount = ({ contactId }: { contactId: string }) => (
  <LinkedCount table={tasksTable} route={taskRoutes.count} field="contact_id" id={contactId} />
)
