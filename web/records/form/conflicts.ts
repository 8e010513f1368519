import { useState } from 'react'
import * as z from 'zod/mini'
import type { Problem } from '#contract/errors.ts'
import type { Side } from '#web/ui/FieldConflict.tsx'
import { toFormValue, type FieldLabels, type FieldValues } from './fields.ts'

export type Conflict = NonNullable<Problem['conflict']>
type Choices = Readonly<Record<string, Side>>

/** An edit: what it started from, and what is typed now. */
export const editWith = (values: z.ZodMiniType<FieldValues>) => z.object({ base: values, version: z.int(), values })
export type Edit = z.infer<ReturnType<typeof editWith>>

/** The fields that wait for a choice: those that the form knows. */
export const fieldsInConflict = ({ fields }: Conflict, labels: FieldLabels): string[] =>
  fields.map(({ field }) => field).filter((field) => field in labels)

/** What somebody else put into a field. */
export const theirs = (conflict: Conflict, field: string): unknown => conflict.fields.find((each) => each.field === field)?.theirs

/** What was changed on both sides, and which side was chosen for each field. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict>()
  const [choices, setChoices] = useState<Choices>({})
  return {
    conflict,
    choices,
    choose: (field: string, side: Side) => setChoices({ ...choices, [field]: side }),
    /** Begins with a new conflict, or ends it with none. */
    setConflict: (next: Conflict | undefined) => {
      setConflict(next)
      setChoices({})
    },
  }
}

/** The same edit on top of what others saved meanwhile. Where nothing was chosen, what was typed stays. */
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
  Object.fromEntries(fields.map((field) => [field, toFormValue(theirs(conflict, field))]))
