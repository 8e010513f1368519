import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import type { View } from './views.ts'

/** Says that a view holds no task, what comes into it, and leads to another one. */
export function NothingInView({ view: { nothing } }: { view: View }) {
  if (!nothing) return null
  const { title, words, action, goOn } = nothing
  return (
    <EmptyState
      quiet
      title={title}
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/crm/tasks" search={goOn === 'all' ? {} : { view: goOn }} {...props} />}>
          {action}
        </Button>
      }
    >
      {words}
    </EmptyState>
  )
}
