import { useQueries } from '@tanstack/react-query'
import type { KindName } from '#contract/kinds.ts'
import type { Condition } from '#contract/lists.ts'
import { linkedRecord } from '#web/records/links/linkChoices.tsx'
import { describeCondition } from './describeCondition.ts'

/** A condition on a link names the linked records by their titles. */
export function LinkConditionText({ to, condition }: { to: KindName; condition: Condition }) {
  const found = useQueries({ queries: (condition.is ?? []).map((id) => linkedRecord(to, id)) })
  const titles = found.map(({ data, isPending }) => data?.title ?? (isPending ? '…' : `a ${to} that is gone`))
  return describeCondition({ type: 'link' }, condition, titles)
}
