import { useState } from 'react'
import * as z from 'zod/mini'
import type { Problem } from '#contract/errors.ts'
import type { Side } from '#web/ui/FieldConflict.tsx'
import { toFormValue, type FieldLabels, type FieldValues } from './fields.ts'

export type Conflict = NonNullable<Problem['conflict']>
type Choices = Readonly<Record<string, Side>>

/** The schema of an edit: the values and the version at its start (`base`), and the current values. */
export const editWith = (values: z.ZodMiniType<FieldValues>) => z.object({ base: values, version: z.int(), values })
export type Edit = z.infer<ReturnType<typeof editWith>>

/** The conflicting fields that the form contains. */
export const fieldsInConflict = ({ fields }: Conflict, labels: FieldLabels): string[] =>
  fields.map(({ field }) => field).filter((field) => field in labels)

/** The value that another change has saved in a field. */
export const theirValue = (conflict: Conflict, field: string): unknown => conflict.fields.find((each) => each.field === field)?.theirs

/** The state of a conflict, and the side that the user has selected for each field. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict>()
  const [choices, setChoices] = useState<Choices>({})
  return {
    conflict,
    choices,
    choose: (field: string, side: Side) => setChoices({ ...choices, [field]: side }),
    /** Starts a conflict without choices; undefined ends it. */
    setConflict: (next: Conflict | undefined) => {
      setConflict(next)
      setChoices({})
    },
  }
}

/** Rebases an edit on the values that others have saved since. Fields without a choice keep the typed value. */
export function applyChoices({ base, values }: Edit, conflict: Conflict, choices: Choices, labels: FieldLabels): Edit {
  const fields = fieldsInConflict(conflict, labels)
  const theirFields = fields.filter((field) => choices[field] === 'theirs')
  return {
    base: { ...base, ...valuesOfOthers(conflict, fields) },
    version: conflict.version,
    values: { ...values, ...valuesOfOthers(conflict, theirFields) },
  }
}

const valuesOfOthers = (conflict: Conflict, fields: readonly string[]): FieldValues =>
  Object.fromEntries(fields.map((field) => [field, toFormValue(theirValue(conflict, field))]))
