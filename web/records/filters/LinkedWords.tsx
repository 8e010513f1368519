import { useQueries } from '@tanstack/react-query'
import type { Condition } from '#contract/lists.ts'
import { describeCondition } from './describeCondition.ts'
import type { Linked } from '#web/records/kind/kind.ts'
import { linkName } from '#web/records/links/linkedRecords.tsx'

/** A condition on a link, by the names of what is linked to. */
export function LinkedWords({ to, condition }: { to: Linked; condition: Condition }) {
  const found = useQueries({ queries: (condition.is ?? []).map((id) => linkName(to, id)) })
  const names = found.map(({ data, isPending }) => data?.name ?? (isPending ? '…' : `a ${to} that is gone`))
  return describeCondition({}, 'link', condition, names)
}
