import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import type { Proposal } from '#contract/proposals.ts'
import { queries } from '#web/lib/queries.ts'
import { undoChange } from '#web/lib/undo.ts'
import { AllowChanges } from './AllowChanges.tsx'
import { describeApplied } from './describe.ts'
import { ItemFields } from './ItemFields.tsx'
import classes from './ProposalCard.module.css'
import itemClasses from './ProposalItem.module.css'
import { ItemTitle } from './ProposalItemRow.tsx'
import { appliedChangeQuery, type FieldsByKind } from './proposalQuery.ts'

type AppliedProposalProps = { proposal: Proposal; fieldsByKind: FieldsByKind }

/** One line about an applied proposal: what was done, with Undo and with the changes on demand. */
export function AppliedProposal({ proposal, fieldsByKind }: AppliedProposalProps) {
  const { items, change_id: changeId } = proposal
  const [isShown, setIsShown] = useState(false)
  const [isUndoing, setIsUndoing] = useState(false)
  const { data: change } = useQuery({ ...appliedChangeQuery(changeId ?? ''), enabled: changeId !== null })
  const done = items.filter(({ decision }) => decision === 'done')
  const label = describeApplied(done)
  const isUndone = change?.undone === true
  /**
   * Undoes the change `id`. If the change was redone, `undoableId` is the id of the redo, which must be undone instead; otherwise it is
   * `id`.
   */
  const undo = async (id: string, undoableId: string): Promise<void> => {
    setIsUndoing(true)
    await undoChange(undoableId, label)
    await queries.invalidateQueries({ queryKey: appliedChangeQuery(id).queryKey })
    setIsUndoing(false)
  }
  return (
    <section className={classes['card']} aria-label="Applied changes" data-closed>
      <div className={classes['summary']}>
        {isUndone ? <IconArrowBackUp size={18} stroke={1.6} aria-hidden /> : <IconCircleCheck size={18} stroke={1.6} aria-hidden />}
        <p>
          <strong>{label}</strong>
          {isUndone && ' and undone'}
        </p>
        <Button variant="subtle" size="compact-sm" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </Button>
        {changeId !== null && change && !isUndone && (
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes['undo'] ?? ''}
            loading={isUndoing}
            onClick={() => void undo(changeId, change.redo_id ?? changeId)}
          >
            Undo
          </Button>
        )}
      </div>
      {isShown && (
        <ul className={classes['items']} aria-label="Changes">
          {items.map((item) => (
            <li key={item.key} className={itemClasses['item']} data-plain data-unticked={item.decision === 'left_out' || undefined}>
              <div className={itemClasses['content']}>
                <div className={itemClasses['head']}>
                  <ItemTitle item={item} isClosed />
                  {item.decision === 'left_out' && <span className={itemClasses['remark']}>left out</span>}
                </div>
                <ItemFields item={item} values={item.fields} kindFields={fieldsByKind[item.kind]} errors={{}} isClosed />
              </div>
            </li>
          ))}
        </ul>
      )}
      <AllowChanges proposal={proposal} />
    </section>
  )
}
