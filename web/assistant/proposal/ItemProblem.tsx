import { Button } from '@mantine/core'
import type { ProposalItem } from '#contract/proposals.ts'
import { formatActor } from '#web/lib/actors.ts'
import { findKindDisplay, type KindFields } from '#web/lib/features.ts'
import { useSession } from '#web/lib/session.ts'
import { FieldConflict, type Side } from '#web/ui/FieldConflict.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { PageLink } from '../markdown/RecordLink.tsx'
import { getFieldLabel } from './describe.ts'
import { ItemValue } from './ItemValue.tsx'
import classes from './ProposalItem.module.css'
import type { ItemRefusal } from './refusals.ts'

type ItemProblemProps = {
  item: ProposalItem
  kindFields: KindFields | undefined
  refusal: ItemRefusal
  /** The value that the user has chosen for each field of a conflict; the value of the proposal by default. */
  choices: Readonly<Record<string, Side>>
  onChoose: (field: string, side: Side) => void
  /** Set if the new record is added although a similar one exists. */
  isDuplicateAllowed: boolean
  onAllowDuplicate: () => void
}

/** Says why a change was refused, and lets the user decide what happens. */
export function ItemProblem({ item, kindFields, refusal, choices, onChoose, isDuplicateAllowed, onAllowDuplicate }: ItemProblemProps) {
  const { message, conflict, matches } = refusal
  return (
    <div className={classes['problem']} data-problem>
      {message !== '' && <p className={classes['error']}>{message}</p>}
      {matches && (
        <>
          <Matches matches={matches} kind={item.kind} />
          {isDuplicateAllowed ? (
            <p className={classes['remark']}>It will be added anyway.</p>
          ) : (
            <Button variant="default" size="compact-sm" onClick={onAllowDuplicate}>
              Add anyway
            </Button>
          )}
        </>
      )}
      {conflict && <ConflictOfItem item={item} kindFields={kindFields} conflict={conflict} choices={choices} onChoose={onChoose} />}
    </div>
  )
}

function Matches({ matches, kind }: { matches: NonNullable<ItemRefusal['matches']>; kind: ProposalItem['kind'] }) {
  return (
    <ul className={classes['matches']}>
      {matches.map(({ id, name, email, phone }) => (
        <li key={id}>
          <PageLink address={findKindDisplay(kind)?.addressOf({ id })}>{name}</PageLink>
          <span className={classes['remark']}>{[email, phone].filter(Boolean).join(' · ')}</span>
        </li>
      ))}
    </ul>
  )
}

type ConflictOfItemProps = Pick<ItemProblemProps, 'item' | 'kindFields' | 'choices' | 'onChoose'> & {
  conflict: NonNullable<ItemRefusal['conflict']>
}

/** Both values of each field that was changed since the proposal was made. A deletion shows the new values, which it would delete. */
function ConflictOfItem({ item, kindFields, conflict, choices, onChoose }: ConflictOfItemProps) {
  const userId = useSession().user.id
  const saved = (
    <>
      Saved <RelativeTime at={conflict.at} /> by {formatActor(conflict, userId)}
    </>
  )
  const renderValue = (field: string, value: unknown) => (
    <ItemValue field={kindFields?.fields[field]} value={value} titles={item.link_titles} />
  )
  if (item.action === 'delete')
    return (
      <>
        <p className={classes['remark']}>{saved}. Apply again to delete it anyway, or untick it.</p>
        <dl className={classes['fields']}>
          {conflict.fields.map(({ field, theirs }) => (
            <div key={field} className={classes['line']}>
              <dt>{getFieldLabel(kindFields?.fields, field)}</dt>
              <dd>{renderValue(field, theirs)}</dd>
            </div>
          ))}
        </dl>
      </>
    )
  return conflict.fields.map(({ field, yours, theirs }) => (
    <FieldConflict
      key={field}
      label={getFieldLabel(kindFields?.fields, field)}
      yours={{ value: renderValue(field, yours), origin: 'Proposed by the assistant' }}
      theirs={{ value: renderValue(field, theirs), origin: saved }}
      selected={choices[field] ?? 'yours'}
      onSelect={(side) => onChoose(field, side)}
    />
  ))
}
