import { Warning } from '#web/ui/Warning.tsx'
import { fieldsInConflict } from './conflicts.ts'
import { fieldsInWords } from './fields.ts'
import type { RecordEditor } from './useRecordEditor.ts'
import { Button } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import classes from './EditorBanners.module.css'

/** Says which fields somebody else changed meanwhile; the fields themselves offer the choice. `one`: "which number", of one field. */
export function ConflictBanner({ editor, one }: { editor: RecordEditor; one?: ((field: string) => string) | undefined }) {
  const { conflict, labels } = editor
  if (!conflict) return null
  const fields = fieldsInConflict(conflict, labels)
  const [first = ''] = fields
  const choice = fields.length > 1 ? 'what' : (one?.(first) ?? 'which one')
  return (
    <Warning
      title={`${fieldsInWords(labels, fields)} ${fields.length === 1 ? 'was' : 'were'} changed somewhere else while you were editing`}
    >
      <p>Everything else you typed is safe. Choose {choice} to keep, then save again.</p>
    </Warning>
  )
}

type DeletedBannerProps = { editor: RecordEditor; noun: string; onRestore: () => void }

/** Says that the record went while it was edited, and offers to bring it back with what was typed. */
export function DeletedBanner({ editor: { gone, saving }, noun, onRestore }: DeletedBannerProps) {
  if (gone === 'erased')
    return (
      <Warning key={gone} title={`This ${noun} was erased for good while you were editing`}>
        <p>It cannot be saved any more. Copy what you need and add it as a new {noun}.</p>
      </Warning>
    )
  if (gone === undefined) return null
  return (
    <Warning key={gone} title={`This ${noun} was deleted while you were editing. Restore it and save?`}>
      <p>What you typed stays here.</p>
      <Button variant="default" mt={8} onClick={onRestore} loading={saving}>
        Restore and save
      </Button>
    </Warning>
  )
}

/** Says that the fields hold what was typed before the page was left or loaded anew. */
export function DraftNote({ onStartOver }: { onStartOver: () => void }) {
  return (
    <div className={classes['note']}>
      <IconInfoCircle size={18} stroke={1.7} aria-hidden />
      <p>What you typed before is back. It is not saved yet.</p>
      <Button variant="default" onClick={onStartOver}>
        Start over
      </Button>
    </div>
  )
}
