import { Warning } from '#web/ui/Warning.tsx'
import { fieldsInConflict, type Conflict } from './conflicts.ts'
import { fieldsInWords, type ContactField } from './contactValues.ts'

/** Says which fields somebody else changed meanwhile; the fields themselves offer the choice. */
export function ConflictBanner({ conflict }: { conflict: Conflict }) {
  const fields = fieldsInConflict(conflict)
  return (
    <Warning title={`${fieldsInWords(fields)} ${fields.length === 1 ? 'was' : 'were'} changed somewhere else while you were editing`}>
      <p>Everything else you typed is safe. Choose {choiceOf(fields)} to keep, then save again.</p>
    </Warning>
  )
}

function choiceOf(fields: readonly ContactField[]): string {
  if (fields.length > 1) return 'what'
  return fields[0] === 'phone' || fields[0] === 'mobile_phone' ? 'which number' : 'which one'
}
