import { useQueries } from '@tanstack/react-query'
import type { KindName } from '#contract/kinds.ts'
import type { Condition } from '#contract/lists.ts'
import { linkedRecordQuery } from '#web/records/links/linkChoices.tsx'
import { describeCondition } from './describeCondition.ts'

/** Shows a condition on a link with the titles of the linked records. */
export function LinkConditionText({ linkedKind, condition }: { linkedKind: KindName; condition: Condition }) {
  const records = useQueries({ queries: (condition.is ?? []).map((id) => linkedRecordQuery(linkedKind, id)) })
  const titles = records.map(({ data, isPending }) => {
    if (data) return data.title
    return isPending ? '…' : `a ${linkedKind} that is gone`
  })
  return describeCondition({ type: 'link' }, condition, titles)
}
