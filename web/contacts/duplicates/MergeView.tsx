import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Contact } from '#contract/contacts.ts'
import type { Comparison } from '#contract/duplicates.ts'
import { joinTags } from '#contract/tags.ts'
import { useActions } from '#web/lib/actions.ts'
import { formatCount } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PanelSkeleton } from '#web/records/panel/SidePanel.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { formatFullName } from '../contactKind.tsx'
import { FieldChoice } from './FieldChoice.tsx'
import { listMergeRows, getKeptSide, toRequestFields, type Choices } from './mergeFields.ts'
import classes from './MergeView.module.css'
import { MovedRecordList } from './MovedRecordList.tsx'
import { comparisonQuery, useDismissPair, useMerge } from './queries.ts'

type MergeViewProps = {
  contactId: string
  otherId: string
  /** Why the contacts are likely the same person. */
  why: string | undefined
  /** True if the heading gets the focus, because the user has opened this pair. */
  takesFocus: boolean
  /** Called after a merge, and after the user said that the contacts are two persons, unless another pair or page was opened meanwhile. */
  onDone: () => void
}

/** The merge of two contacts: for each field that differs the user chooses one of the two values. */
export function MergeView(props: MergeViewProps) {
  const { data, error, refetch, isFetching } = useQuery(comparisonQuery(props.contactId, props.otherId))
  useReturnFocus()
  return (
    <section className={classes['view']} aria-label="Merge">
      {data && <MergeForm comparison={data} {...props} />}
      {!data && error && (
        <FailedState
          title="These contacts could not be loaded"
          reason={describeError(error)}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {!data && !error && (
        <div className={classes['waiting']}>
          <PanelSkeleton />
        </div>
      )}
    </section>
  )
}

function MergeForm({ comparison, why, takesFocus, onDone }: MergeViewProps & { comparison: Comparison }) {
  const { contact, other, moves } = comparison
  const [choices, setChoices] = useState<Choices>({})
  const [areSameShown, setAreSameShown] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const merging = useMerge()
  const dismissing = useDismissPair()
  const rows = listMergeRows(contact, other)
  const differentRows = rows.filter(({ isSame }) => !isSame)
  const sameRows = rows.filter(({ isSame }) => isSame)
  const nameRow = rows.find(({ name }) => name === 'name')
  const name = nameRow ? nameRow.values[getKeptSide(nameRow, choices)] : 'the contact'
  const isBusy = merging.isPending || dismissing.isPending
  const merge = (): void => {
    if (isBusy) return
    const fields = toRequestFields(rows, choices)
    const body = { other_id: other.id, fields, version: contact.version, other_version: other.version }
    merging.mutate({ id: contact.id, name, body }, { onSuccess: onDone })
  }
  useActions([{ keys: 'mod+Enter', label: 'Merge 2 contacts', run: merge, worksWhileTyping: true }])
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <>
      <div className={classes['body']}>
        <h2 ref={heading} tabIndex={-1}>
          Merge into one contact
        </h2>
        <p className={classes['why']}>{why ? `${why}. Choose what to keep.` : 'Choose what to keep.'}</p>
        <div className={classes['head']}>
          {[contact, other].map((each) => (
            <ContactHead key={each.id} contact={each} />
          ))}
        </div>
        {differentRows.map((row) => (
          <FieldChoice
            key={row.name}
            row={row}
            side={getKeptSide(row, choices)}
            onChoose={(side) => setChoices({ ...choices, [row.name]: side })}
          />
        ))}
        <TagsOfBoth contact={contact} other={other} />
        {sameRows.length > 0 && (
          <button type="button" className={classes['same']} aria-expanded={areSameShown} onClick={() => setAreSameShown(!areSameShown)}>
            {areSameShown ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
            {areSameShown ? 'Hide' : 'Show'} {formatCount(sameRows.length, 'field')} that {sameRows.length === 1 ? 'is' : 'are'} the same
          </button>
        )}
        {areSameShown &&
          sameRows.map(({ name: field, label, values }) => (
            <div key={field} className={classes['row']}>
              <span className={classes['label']}>{label}</span>
              <span className={classes['sameValue']} dir="auto">
                {values.this}
              </span>
            </div>
          ))}
        <MovedRecordList moves={moves} name={name} />
      </div>
      <footer className={classes['footer']} data-save-bar>
        <span className={classes['note']}>The other record goes to Trash. Undo for 30 days.</span>
        <Button
          variant="default"
          disabled={isBusy}
          loading={dismissing.isPending}
          onClick={() => dismissing.mutate([contact.id, other.id], { onSuccess: onDone })}
        >
          Not the same person
        </Button>
        <Button variant="filled" disabled={isBusy} loading={merging.isPending} onClick={merge} aria-keyshortcuts="Control+Enter">
          Merge 2 contacts
        </Button>
      </footer>
    </>
  )
}

const ContactHead = ({ contact }: { contact: Contact }) => (
  <span className={classes['contact']}>
    <Avatar id={contact.id} name={formatFullName(contact)} size={32} />
    <span className={classes['contactTexts']}>
      <b dir="auto" title={formatFullName(contact)}>
        {formatFullName(contact) || 'No name'}
      </b>
      <span>
        added <RelativeTime at={contact.created_at} />
        {contact.lead_source && `, ${contact.lead_source}`}
      </span>
    </span>
  </span>
)

/** The tags of both contacts, which are all kept. */
function TagsOfBoth({ contact, other }: { contact: Contact; other: Contact }) {
  const tags = joinTags(contact.tags, other.tags)
  if (tags.length === 0) return null
  return (
    <div className={classes['row']}>
      <span className={classes['label']}>Tags</span>
      <span className={classes['tags']}>
        {tags.map((tag) => (
          <span key={tag} className={classes['tag']}>
            {tag}
          </span>
        ))}
        <span className={classes['kept']}>all are kept</span>
      </span>
    </div>
  )
}
