import type { ReactNode } from 'react'
import { useSession } from '#web/lib/session.ts'
import { FieldConflict } from '#web/ui/FieldConflict.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { formatActor } from '#web/lib/actors.ts'
import { getFieldsToChoose, getTheirValue, type Conflict } from './conflicts.ts'
import { toFormValue } from './fields.ts'
import type { RecordEditor } from './useRecordEditor.ts'

type RecordFieldProps = {
  editor: RecordEditor
  field: string
  /** Renders a value that users cannot read as it is, such as an id. */
  renderValue?: ((value: string) => ReactNode) | undefined
  /** The text to show as the user's value instead of the value of the field, such as the typed company name for the id of a company. */
  typedValue?: string | undefined
}

/** A field of a form. If another change has modified the field too, a choice between both values replaces the input. */
export function RecordField({ children, ...props }: RecordFieldProps & { children: ReactNode }) {
  const { conflict, labels } = props.editor
  if (!conflict || !getFieldsToChoose(conflict, labels).includes(props.field)) return children
  return <ConflictField {...props} conflict={conflict} />
}

/** Shows the typed value, the saved value, and who saved that value. */
function ConflictField({ editor, field, conflict, renderValue, typedValue }: RecordFieldProps & { conflict: Conflict }) {
  const userId = useSession().user.id
  return (
    <FieldConflict
      label={editor.labels[field] ?? field}
      yours={{ value: typedValue ?? renderSide(editor.form.getValues()[field], renderValue), origin: 'Yours, typed just now' }}
      theirs={{
        value: renderSide(getTheirValue(conflict, field), renderValue),
        origin: (
          <>
            Saved <RelativeTime at={conflict.at} /> by {formatActor(conflict, userId)}
          </>
        ),
      }}
      selected={editor.choices[field] ?? 'yours'}
      onSelect={(side) => editor.choose(field, side)}
    />
  )
}

function renderSide(value: unknown, renderValue: RecordFieldProps['renderValue']): ReactNode {
  const formValue = toFormValue(value)
  const text = Array.isArray(formValue) ? formValue.join(', ') : (formValue ?? '').trim()
  if (text === '') return 'Empty'
  return renderValue ? renderValue(text) : text
}
