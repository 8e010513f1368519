import type { ComponentType } from 'react'
import type { RecordEditor } from './useRecordEditor.ts'

export type FieldInputProps<Full> = {
  editor: RecordEditor
  field: string
  /** The saved record; undefined in the form of a new record and in the editors of proposals. */
  record: Full | undefined
}

/** The inputs of a kind by field. The form and the values that are edited in place show the same inputs. */
export type FieldInputs<Full> = Readonly<Record<string, ComponentType<FieldInputProps<Full>>>>

/** The input of a field. Renders nothing for a field without an input of its own. */
export function FieldInput<Full>({ inputs, ...props }: FieldInputProps<Full> & { inputs: FieldInputs<Full> }) {
  const Input = inputs[props.field]
  return Input ? <Input {...props} /> : null
}
