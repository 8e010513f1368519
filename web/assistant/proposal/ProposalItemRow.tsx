import { Button } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import type { ProposalItem } from '#contract/proposals.ts'
import { findKindDisplay, type KindFields } from '#web/lib/features.ts'
import type { Side } from '#web/ui/FieldConflict.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { PageLink } from '../markdown/RecordLink.tsx'
import { canEdit, ItemEditor } from './ItemEditor.tsx'
import { ItemFields } from './ItemFields.tsx'
import { ItemProblem } from './ItemProblem.tsx'
import classes from './ProposalItem.module.css'
import { isRefused, type ItemRefusal } from './refusals.ts'

type ProposalItemRowProps = {
  proposalId: string
  item: ProposalItem
  values: Readonly<Record<string, unknown>>
  kindFields: KindFields | undefined
  isTicked: boolean
  isDisabled: boolean
  isEditing: boolean
  refusal: ItemRefusal | undefined
  choices: Readonly<Record<string, Side>>
  isDuplicateAllowed: boolean
  onToggle: () => void
  /** Is called when the editor of the change opens or closes. */
  onEditing: (isOpen: boolean) => void
  onEdit: (values: Record<string, unknown>) => void
  onChoose: (field: string, side: Side) => void
  onAllowDuplicate: () => void
}

/** A change of an open proposal, which can be unticked and edited. */
export function ProposalItemRow(props: ProposalItemRowProps) {
  const { proposalId, item, values, kindFields, isTicked, isDisabled, isEditing, refusal, onEditing, onEdit } = props
  const editButton = useRef<HTMLButtonElement>(null)
  const errors = refusal?.conflict ? {} : (refusal?.fields ?? {})
  const close = (): void => {
    onEditing(false)
    queueMicrotask(() => editButton.current?.focus())
  }
  const parts = { item, values, kindFields, errors }
  return (
    <li className={classes['item']} data-unticked={!isTicked || undefined} data-refused={(refusal && isRefused(refusal)) || undefined}>
      <span className={classes['tick']}>
        <Checkbox label={`Apply: ${item.title}`} checked={isTicked} disabled={isDisabled} onToggle={props.onToggle} />
      </span>
      <div className={classes['content']}>
        <div className={classes['head']}>
          <ItemTitle item={item} />
          {canEdit(item, kindFields) && (
            <Button
              ref={editButton}
              variant="subtle"
              size="compact-sm"
              className={classes['edit'] ?? ''}
              aria-label={`Edit ${item.title}`}
              aria-expanded={isEditing}
              disabled={isDisabled}
              onClick={() => onEditing(!isEditing)}
            >
              Edit
            </Button>
          )}
        </div>
        {isEditing ? (
          <ItemEditor
            {...parts}
            proposalId={proposalId}
            onCancel={close}
            onSave={(edited) => {
              onEdit(edited)
              close()
            }}
          />
        ) : (
          <ItemFields {...parts} />
        )}
        {refusal && <ItemProblem {...props} refusal={refusal} />}
      </div>
    </li>
  )
}

/** The icon or the avatar, and the title of the record, with a link to its page. `isClosed`: the change was applied or left out. */
export function ItemTitle({ item, isClosed = false }: { item: ProposalItem; isClosed?: boolean }): ReactNode {
  const { id, kind, title, action, before, fields } = item
  const kindDisplay = findKindDisplay(kind)
  const contactId = before['contact_id'] ?? fields['contact_id']
  const parent = kind === 'note' && typeof contactId === 'string' ? { kind: 'contact' as const, id: contactId } : null
  const address = id === null ? undefined : kindDisplay?.addressOf({ id, parent })
  const Picture = kindDisplay?.icon
  return (
    <>
      <span className={classes['picture']}>
        {kindDisplay?.shape ? (
          <Avatar id={id ?? title} name={title} size={20} shape={kindDisplay.shape} />
        ) : (
          Picture && <Picture size={16} stroke={1.6} />
        )}
      </span>
      <strong className={classes['title']} dir="auto">
        <PageLink address={address}>{title}</PageLink>
      </strong>
      {action === 'create' && !isClosed && <span className={classes['remark']}>new {kind}</span>}
      {action === 'delete' && isClosed && <span className={classes['remark']}>deleted</span>}
    </>
  )
}
