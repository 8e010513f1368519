import { useMutation } from '@tanstack/react-query'
import { recordKinds } from '#contract/kinds.ts'
import { proposalRoutes, type Proposal, type ProposalItem } from '#contract/proposals.ts'
import { call, callForChange, ProblemError, trackWrite } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { describeError, toastError } from '#web/lib/toasts.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import type { Side } from '#web/ui/FieldConflict.tsx'
import { forgetDecisions, useDecisions } from './decisions.ts'
import { describeApplied } from './describe.ts'
import { proposalQuery } from './proposalQuery.ts'
import { addRefusals, isRefused, readRefusals, removeRefusal, type Refusals } from './refusals.ts'

/** What the user has ticked, edited and chosen in an open proposal, and the functions that change, apply and discard it. */
export function useOpenProposal(proposal: Proposal) {
  const { id, items } = proposal
  const [{ leftOut, edited, refusals, choices, duplicates: allowedDuplicates }, changeDecisions] = useDecisions(id)
  const ticked = items.filter(({ key }) => !leftOut.includes(key))
  const toRequestItem = (item: ProposalItem) => {
    const { key, action } = item
    const conflict = refusals[key]?.conflict
    // without `fields`, the server applies the proposed fields
    const fields = edited[key] ?? (conflict ? item.fields : undefined)
    const isTheirs = (field: string): boolean =>
      conflict?.fields.some((each) => each.field === field) === true && choices[key]?.[field] === 'theirs'
    return {
      key,
      ...(fields && action !== 'delete' && { fields: Object.fromEntries(Object.entries(fields).filter(([field]) => !isTheirs(field))) }),
      ...(conflict && { version: conflict.version }),
      ...(allowedDuplicates.includes(key) && { allow_duplicate: true }),
    }
  }
  // a change is not sent if the user has chosen the saved value of all its fields
  const toApply = ticked.filter((item) => {
    const { fields } = toRequestItem(item)
    return fields === undefined || Object.keys(fields).length > 0
  })
  const showClosed = (closed: Proposal): void => {
    queries.setQueryData(proposalQuery(id).queryKey, (shown) => shown && { ...shown, proposal: closed })
    forgetDecisions(id)
  }
  const applying = useMutation({
    mutationFn: () => trackWrite(callForChange(proposalRoutes.apply, { params: { id }, body: { items: toApply.map(toRequestItem) } })),
    onSuccess: ({ response, changeId }) => {
      const done = response.items.filter(({ decision }) => decision === 'done')
      storeForUndo(changeId, describeApplied(done))
      showClosed(response)
      void refreshTables([...new Set(items.map(({ kind }) => recordKinds[kind].table))])
    },
    onError: (error) => {
      const found = readRefusals(error)
      if (found) changeDecisions({ refusals: addRefusals(refusals, found) })
      // another tab, or an earlier request whose response was lost, has closed the proposal
      if (isClosed(error)) void queries.invalidateQueries({ queryKey: proposalQuery(id).queryKey })
    },
  })
  const discarding = useMutation({
    mutationFn: () => call(proposalRoutes.discard, { params: { id } }),
    onSuccess: showClosed,
    onError: (error) => {
      toastError(error)
      if (isClosed(error)) void queries.invalidateQueries({ queryKey: proposalQuery(id).queryKey })
    },
  })
  const toggle = (key: string): void =>
    changeDecisions({ leftOut: leftOut.includes(key) ? leftOut.filter((each) => each !== key) : [...leftOut, key] })
  const edit = (key: string, fields: Record<string, unknown>): void =>
    changeDecisions({
      leftOut: leftOut.filter((each) => each !== key),
      edited: { ...edited, [key]: fields },
      refusals: removeRefusal(refusals, key),
      choices: { ...choices, [key]: {} },
      duplicates: allowedDuplicates.filter((each) => each !== key),
    })
  return {
    ticked,
    /** The ticked changes without those for which the user has chosen the saved values of all fields. */
    toApply,
    refusals,
    /** Why the last attempt to apply the changes failed. */
    applyError: applying.error,
    isApplying: applying.isPending,
    isBusy: applying.isPending || discarding.isPending,
    failureMessage: applying.isPending ? undefined : describeFailure(applying.error, refusals),
    apply: () => applying.mutate(),
    discard: () => discarding.mutate(),
    tickAll: (isTicked: boolean) => changeDecisions({ leftOut: isTicked ? [] : items.map(({ key }) => key) }),
    propsOf: (item: ProposalItem) => ({
      values: edited[item.key] ?? item.fields,
      isTicked: ticked.includes(item),
      refusal: refusals[item.key],
      choices: choices[item.key] ?? {},
      isDuplicateAllowed: allowedDuplicates.includes(item.key),
      onToggle: () => toggle(item.key),
      onEdit: (fields: Record<string, unknown>) => edit(item.key, fields),
      onChoose: (field: string, side: Side) =>
        changeDecisions({ choices: { ...choices, [item.key]: { ...choices[item.key], [field]: side } } }),
      onAllowDuplicate: () => changeDecisions({ duplicates: [...allowedDuplicates, item.key] }),
    }),
  }
}

const isClosed = (error: unknown): boolean => error instanceof ProblemError && error.problem.code === 'proposal_closed'

/** Returns the sentence below the changes; undefined if there was no error or if the user has solved it. */
function describeFailure(error: Error | null, refusals: Refusals): string | undefined {
  if (error && !readRefusals(error)) return describeError(error)
  const count = Object.values(refusals).filter(isRefused).length
  if (count === 0) return undefined
  return `Nothing was changed. ${count === 1 ? 'One change needs' : `${count} changes need`} another look.`
}
