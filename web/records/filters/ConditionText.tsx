import { lazy, Suspense } from 'react'
import type { Condition } from '#contract/lists.ts'
import type { FilteredField } from './filtering.ts'
import { describeCondition } from './describeCondition.ts'

const LinkedWords = lazy(() => import('./LinkedWords.tsx').then((module) => ({ default: module.LinkedWords })))

/** What a condition says of its field. */
export function ConditionText({ filtered: { field, kind }, condition }: { filtered: FilteredField; condition: Condition }) {
  if (kind !== 'link' || !condition.is || !field.linksTo) return describeCondition(field, kind, condition)
  return (
    <Suspense fallback="…">
      <LinkedWords to={field.linksTo} condition={condition} />
    </Suspense>
  )
}
