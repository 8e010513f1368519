import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { View, ViewName } from './views.ts'

type EmptyViewText = { title: string; words: string; action: string; leadsTo: ViewName }

const texts: Partial<Record<ViewName, EmptyViewText>> = {
  today: {
    title: 'Nothing is due today',
    words: 'Tasks show here on the day they are due.',
    action: 'See what comes next',
    leadsTo: 'upcoming',
  },
  overdue: {
    title: 'Nothing is overdue',
    words: 'Tasks that are not done on their day show here until they are.',
    action: 'See what is due today',
    leadsTo: 'today',
  },
  upcoming: {
    title: 'Nothing is planned',
    words: 'Give a task a due date after today, and it shows here.',
    action: 'See all tasks',
    leadsTo: 'all',
  },
}

/** An empty view of tasks, with a link to the next view. The view of all tasks has the empty state of its kind. */
export function EmptyView({ view }: { view: View }) {
  const text = texts[view.name]
  if (!text) return null
  const { title, words, action, leadsTo } = text
  return (
    <EmptyState
      quiet
      title={title}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/crm/tasks" search={leadsTo === 'all' ? {} : { view: leadsTo }} {...props} />}
        >
          {action}
        </Button>
      }
    >
      {words}
    </EmptyState>
  )
}
