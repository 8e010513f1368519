import type { ReactNode } from 'react'
import { useSession } from '#web/lib/session.ts'
import { FieldConflict } from '#web/ui/FieldConflict.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { formatActor } from '#web/lib/actors.ts'
import { fieldsInConflict, theirValue, type Conflict } from './conflicts.ts'
import { toFormValue } from './fields.ts'
import type { RecordEditor } from './useRecordEditor.ts'

type FieldProps = {
  editor: RecordEditor
  field: string
  /** Renders a value that users cannot read, such as an id. */
  show?: ((value: string) => ReactNode) | undefined
}

/** A field of a form. In a conflict it shows both values instead of the input. */
export function RecordField({ children, ...props }: FieldProps & { children: ReactNode }) {
  const { conflict, labels } = props.editor
  if (!conflict || !fieldsInConflict(conflict, labels).includes(props.field)) return children
  return <ConflictField {...props} conflict={conflict} />
}

/** Shows the typed value, the saved value, and who saved it. */
function ConflictField({ editor, field, conflict, show }: FieldProps & { conflict: Conflict }) {
  const userId = useSession().user.id
  return (
    <FieldConflict
      label={editor.labels[field] ?? field}
      yours={{ value: renderValue(editor.form.getValues()[field], show), origin: 'Yours, typed just now' }}
      theirs={{
        value: renderValue(theirValue(conflict, field), show),
        origin: (
          <>
            Saved <RelativeTime at={conflict.at} /> by {formatActor(conflict.actor, userId)}
          </>
        ),
      }}
      selected={editor.choices[field] ?? 'yours'}
      onSelect={(side) => editor.choose(field, side)}
    />
  )
}

function renderValue(value: unknown, show: FieldProps['show']): ReactNode {
  const typed = toFormValue(value)
  const text = Array.isArray(typed) ? typed.join(', ') : (typed ?? '').trim()
  if (text === '') return 'Empty'
  return show ? show(text) : text
}
