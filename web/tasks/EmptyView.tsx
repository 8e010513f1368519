import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { View, ViewName } from './views.ts'

type EmptyViewText = { title: string; text: string; linkLabel: string; linkedView: ViewName }

const texts: Partial<Record<ViewName, EmptyViewText>> = {
  today: {
    title: 'Nothing is due today',
    text: 'Tasks show here on the day they are due.',
    linkLabel: 'See what comes next',
    linkedView: 'upcoming',
  },
  overdue: {
    title: 'Nothing is overdue',
    text: 'Tasks that are not done on their day show here until they are.',
    linkLabel: 'See what is due today',
    linkedView: 'today',
  },
  upcoming: {
    title: 'Nothing is planned',
    text: 'Give a task a due date after today, and it shows here.',
    linkLabel: 'See all tasks',
    linkedView: 'all',
  },
}

/** The message of an empty view, with a link to another view. Shows nothing in the view of all tasks, which has its own message. */
export function EmptyView({ view }: { view: View }) {
  const emptyView = texts[view.name]
  if (!emptyView) return null
  const { title, text, linkLabel, linkedView } = emptyView
  return (
    <EmptyState
      hideIllustration
      title={title}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/crm/tasks" search={linkedView === 'all' ? {} : { view: linkedView }} {...props} />}
        >
          {linkLabel}
        </Button>
      }
    >
      {text}
    </EmptyState>
  )
}
