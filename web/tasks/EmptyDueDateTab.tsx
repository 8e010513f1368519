import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { DueDateTab, DueDateTabName } from './dueDateTabs.ts'

type EmptyTabText = { title: string; text: string; linkLabel: string; linkedTab: DueDateTabName }

const texts: Partial<Record<DueDateTabName, EmptyTabText>> = {
  today: {
    title: 'Nothing is due today',
    text: 'Tasks show here on the day they are due.',
    linkLabel: 'See what comes next',
    linkedTab: 'upcoming',
  },
  overdue: {
    title: 'Nothing is overdue',
    text: 'Tasks that are not done on their day show here until they are.',
    linkLabel: 'See what is due today',
    linkedTab: 'today',
  },
  upcoming: {
    title: 'Nothing is planned',
    text: 'Give a task a due date after today, and it shows here.',
    linkLabel: 'See all tasks',
    linkedTab: 'all',
  },
}

/** The message of an empty tab, with a link to another tab. Shows nothing in the tab of all tasks, because its list has its own message. */
export function EmptyDueDateTab({ tab }: { tab: DueDateTab }) {
  const emptyTab = texts[tab.name]
  if (!emptyTab) return null
  const { title, text, linkLabel, linkedTab } = emptyTab
  return (
    <EmptyState
      hideIllustration
      title={title}
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/crm/tasks" search={{ view: linkedTab }} {...props} />}>
          {linkLabel}
        </Button>
      }
    >
      {text}
    </EmptyState>
  )
}
