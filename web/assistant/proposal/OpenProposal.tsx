import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Proposal } from '#contract/proposals.ts'
import { formatCount } from '#web/lib/format.ts'
import { AllowChanges } from './AllowChanges.tsx'
import { describeApply, describeTicked } from './describe.ts'
import classes from './ProposalCard.module.css'
import { ProposalItemRow } from './ProposalItemRow.tsx'
import type { FieldsByKind } from './proposalQuery.ts'
import { useMarkedRows } from './useMarkedRows.ts'
import { useOpenProposal } from './useOpenProposal.ts'

/** With more changes than this, the others are shown on demand. */
const maxShownItems = 20
/** With more changes than this, one button ticks or unticks all. */
const maxTickedByHand = 5

type OpenProposalProps = { proposal: Proposal; fieldsByKind: FieldsByKind }

/** The changes of a proposal that the user can untick, edit, apply and discard. */
export function OpenProposal({ proposal, fieldsByKind }: OpenProposalProps) {
  const { items } = proposal
  const state = useOpenProposal(proposal)
  const { ticked, toApply, refusals, applyError, isBusy, failureMessage } = state
  const list = useRef<HTMLUListElement>(null)
  const [showsAll, setShowsAll] = useState(false)
  /** The keys of the changes that are being edited. What is typed belongs to the change only after Done. */
  const [editedKeys, setEditedKeys] = useState<ReadonlySet<string>>(new Set())
  const isEditing = editedKeys.size > 0
  useMarkedRows(ticked)
  useEffect(() => {
    if (applyError) focusFirstProblem(list.current)
  }, [applyError])
  const firstItems = items.slice(0, maxShownItems)
  const hasHiddenRefusal = Object.keys(refusals).some((key) => !firstItems.some((item) => item.key === key))
  const shownItems = showsAll || hasHiddenRefusal ? items : firstItems
  const canApply = toApply.length > 0 && !isBusy && !isEditing
  const applyOnKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation() // the composer and the page have shortcuts of their own
    if (canApply) state.apply()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of its buttons
    <section className={classes['card']} aria-label="Proposed changes" aria-busy={isBusy} onKeyDown={applyOnKey}>
      <header className={classes['header']}>
        <h3>{formatCount(items.length, 'change')}</h3>
        <span aria-live="polite">{describeTicked(ticked.length, items.length)}</span>
        {items.length > maxTickedByHand && (
          <Button variant="subtle" size="compact-sm" disabled={isBusy} onClick={() => state.tickAll(ticked.length < items.length)}>
            {ticked.length < items.length ? 'Tick all' : 'Untick all'}
          </Button>
        )}
      </header>
      <ul ref={list} className={classes['items']} aria-label="Changes">
        {shownItems.map((item) => (
          <ProposalItemRow
            key={item.key}
            {...state.propsOf(item)}
            proposalId={proposal.id}
            item={item}
            kindFields={fieldsByKind[item.kind]}
            isDisabled={isBusy}
            isEditing={editedKeys.has(item.key)}
            onEditing={(isOpen) =>
              setEditedKeys((keys) => new Set(isOpen ? [...keys, item.key] : [...keys].filter((key) => key !== item.key)))
            }
          />
        ))}
      </ul>
      {shownItems.length < items.length && (
        <div className={classes['more']}>
          <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)}>
            Show all {items.length} changes
          </Button>
        </div>
      )}
      {failureMessage !== undefined && (
        <p className={classes['failure']} role="alert">
          {failureMessage}
        </p>
      )}
      <AllowChanges proposal={proposal} />
      <footer className={classes['footer']}>
        <Button variant="subtle" className={classes['discard'] ?? ''} disabled={isBusy} onClick={state.discard}>
          Discard
        </Button>
        {isEditing && <p className={classes['hint']}>Press Done in the change that you are editing.</p>}
        <Button className={classes['apply'] ?? ''} disabled={!canApply} loading={state.isApplying} title="Ctrl Enter" onClick={state.apply}>
          {describeApply(toApply)}
        </Button>
      </footer>
    </section>
  )
}

/** Focuses the input that resolves the first refused change, or else its edit button, because the change may not be visible. */
function focusFirstProblem(list: HTMLElement | null): void {
  const problem = list?.querySelector('[data-refused]')
  const control =
    problem?.querySelector<HTMLElement>('[data-problem] :is(input:checked, button)') ?? problem?.querySelector<HTMLElement>('button')
  control?.focus()
}
