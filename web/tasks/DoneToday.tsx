import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatNumber, getToday } from '#web/lib/format.ts'
import { useNow } from '#web/ui/useNow.ts'
import { doneTasksQuery, maxDoneTasks } from './queries.ts'
import { ShortTaskList } from './ShortTaskList.tsx'
import classes from './tasks.module.css'

/** The tasks that were completed today, folded behind a button with their number. Shows nothing when there are none. */
export function DoneToday() {
  const listId = useId()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(doneTasksQuery(getToday(useNow())))
  if (!data || data.rows.length === 0) return null
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section className={classes['done']} aria-label="Done today">
      <UnstyledButton className={classes['doneToggle']} aria-expanded={isOpen} aria-controls={listId} onClick={() => setOpen(!isOpen)}>
        <Chevron size={16} stroke={1.75} aria-hidden />
        Done today
        <span className={classes['doneCount']}>
          {formatNumber(data.rows.length)}
          {data.rows.length === maxDoneTasks && '+'}
        </span>
      </UnstyledButton>
      <div id={listId} className={classes['doneList']}>
        {isOpen && <ShortTaskList tasks={data.rows} getDetail={({ deal_title, contact_name }) => deal_title || contact_name} />}
      </div>
    </section>
  )
}
