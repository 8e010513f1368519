import { useQuery } from '@tanstack/react-query'
import { useSession } from '#web/lib/session.ts'
import { FieldConflict } from '#web/ui/FieldConflict.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { actorInWords } from './actors.ts'
import { theirs, type Conflict } from './conflicts.ts'
import { contactLabels, type ContactField } from './contactValues.ts'
import { fullName } from './links.ts'
import { contactQuery } from './queries.ts'
import type { ContactEditor } from './useContactEditor.ts'

type ConflictFieldProps = { field: ContactField; conflict: Conflict; editor: ContactEditor }

/** One field that was changed on both sides: what was typed here, what stands there now and who put it there. */
export function ConflictField({ field, conflict, editor }: ConflictFieldProps) {
  const userId = useSession().user.id
  return (
    <FieldConflict
      label={contactLabels[field]}
      yours={{ value: <Value field={field} value={editor.form.getValues()[field]} />, origin: 'Yours, typed just now' }}
      theirs={{
        value: <Value field={field} value={theirs(conflict, field)} />,
        origin: (
          <>
            Saved <RelativeTime at={conflict.at} /> by {actorInWords(conflict.actor, userId)}
          </>
        ),
      }}
      chosen={editor.choices[field] ?? 'yours'}
      onChoose={(side) => editor.choose(field, side)}
    />
  )
}

function Value({ field, value }: { field: ContactField; value: unknown }) {
  if (typeof value !== 'string' || value.trim() === '') return 'Empty'
  return field === 'reports_to_id' ? <NameOf id={value} /> : value
}

function NameOf({ id }: { id: string }) {
  const { data } = useQuery(contactQuery(id))
  return data ? fullName(data) : 'Another contact'
}
