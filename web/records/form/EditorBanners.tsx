import { Button } from '@mantine/core'
import { IconExternalLink, IconInfoCircle } from '@tabler/icons-react'
import type { KindName } from '#contract/kinds.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Warning } from '#web/ui/Warning.tsx'
import { getFieldsToChoose } from './conflicts.ts'
import classes from './EditorBanners.module.css'
import type { EditorFormState } from './EditorForm.tsx'
import { formatFieldList } from './fields.ts'
import type { RecordEditor } from './useRecordEditor.ts'

/** The messages above the fields: a restored draft, a possible duplicate, a deleted record, a conflict. */
export const EditorBanners = ({ form: { noun, editor, save } }: { form: EditorFormState }) => (
  <>
    {editor.isDraftRestored && <RestoredDraftBanner onStartOver={editor.startOver} />}
    <DuplicateBanner editor={editor} noun={noun} onAddAnyway={() => save({ allowDuplicate: true })} />
    <DeletedBanner editor={editor} noun={noun} onRestore={() => save({ restore: true })} />
    <ConflictBanner editor={editor} />
  </>
)

/** Shown when the fields contain a draft: input that was not saved before the user left or reloaded the page. */
export const RestoredDraftBanner = ({ onStartOver }: { onStartOver: () => void }) => (
  <div className={classes['note']}>
    <IconInfoCircle size={18} stroke={1.7} aria-hidden />
    <p>What you typed before is back. It is not saved yet.</p>
    <Button variant="default" onClick={onStartOver}>
      Start over
    </Button>
  </div>
)

type DuplicateBannerProps = { editor: RecordEditor; noun: KindName; onAddAnyway: () => void }

/**
 * Shown when the server rejects a new record as a duplicate of existing records. The links to these records open in a new tab, so that the
 * form stays open.
 */
function DuplicateBanner({ editor: { matches, saving }, noun, onAddAnyway }: DuplicateBannerProps) {
  if (!matches) return null
  const kindDisplay = findKindDisplay(noun)
  return (
    <Warning title={`This ${noun} seems to be here already`}>
      <p>Have a look before you add it a second time. What you typed stays here.</p>
      <ul className={classes['matches']}>
        {matches.map(({ id, name, email, phone }) => (
          <li key={id}>
            <Avatar id={id} name={name} shape={kindDisplay?.shape ?? 'round'} />
            <a className="link" href={kindDisplay?.addressOf({ id })} target="_blank" rel="noreferrer">
              {name}
              <IconExternalLink size={14} stroke={1.75} aria-hidden />
            </a>
            <span className={classes['detail']}>{[email, phone].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={onAddAnyway} loading={saving}>
        Add anyway
      </Button>
    </Warning>
  )
}

type DeletedBannerProps = { editor: RecordEditor; noun: string; onRestore: () => void }

/** Shown when the record was deleted while the user edited it. */
export function DeletedBanner({ editor: { missing, saving }, noun, onRestore }: DeletedBannerProps) {
  if (missing === 'erased')
    return (
      <Warning key={missing} title={`This ${noun} was erased for good while you were editing`}>
        <p>It cannot be saved any more. Copy what you need and add it as a new {noun}.</p>
      </Warning>
    )
  if (missing === undefined) return null
  // the key mounts each of the two warnings anew, and a warning takes the focus when it is mounted
  return (
    <Warning key={missing} title={`This ${noun} was deleted while you were editing. Restore it and save?`}>
      <p>What you typed stays here.</p>
      <Button variant="default" mt={8} onClick={onRestore} loading={saving}>
        Restore and save
      </Button>
    </Warning>
  )
}

/** Lists the fields that another change has modified too. Each of these fields shows both values, and the user selects one. */
export function ConflictBanner({ editor: { conflict, labels } }: { editor: RecordEditor }) {
  if (!conflict) return null
  const fields = getFieldsToChoose(conflict, labels)
  return (
    <Warning
      title={`${formatFieldList(labels, fields)} ${fields.length === 1 ? 'was' : 'were'} changed somewhere else while you were editing`}
    >
      <p>Everything else you typed is safe. Choose {describeChoice(fields)} to keep, then save again.</p>
    </Warning>
  )
}

/** Returns what the user has to choose: "what" for several fields, "which number" for a phone number, "which one" for any other field. */
function describeChoice([field = '', ...others]: readonly string[]): string {
  if (others.length > 0) return 'what'
  return field.endsWith('phone') ? 'which number' : 'which one'
}
