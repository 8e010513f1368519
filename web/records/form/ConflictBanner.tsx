import { Warning } from '#web/ui/Warning.tsx'
import { fieldsInConflict } from './conflicts.ts'
import { fieldsInWords } from './fields.ts'
import type { RecordEditor } from './useRecordEditor.ts'

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
