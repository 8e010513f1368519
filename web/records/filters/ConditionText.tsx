import { lazy, Suspense } from 'react'
import type { Condition } from '#contract/lists.ts'
import { describeCondition } from './describeCondition.ts'
import type { FilterField } from './filtering.ts'

const LinkConditionText = lazy(() => import('./LinkConditionText.tsx').then((module) => ({ default: module.LinkConditionText })))

/** Shows a condition without its field: "contains “Lon”". The titles of linked records are loaded. */
export function ConditionText({ field, condition }: { field: FilterField; condition: Condition }) {
  // the field is a link, and the condition is on the title that is stored with it
  if (condition.field !== field.name) return describeCondition({ type: 'text' }, condition)
  if (!field.linksTo || !condition.is) return describeCondition(field, condition)
  return (
    <Suspense fallback="…">
      <LinkConditionText linkedKind={field.linksTo} condition={condition} />
    </Suspense>
  )
}
