import { useState } from 'react'
import * as z from 'zod/mini'
import type { Problem } from '#contract/errors.ts'
import type { Side } from '#web/ui/FieldConflict.tsx'
import { toFormValue, type FieldLabels, type FieldValues } from './fields.ts'

export type Conflict = NonNullable<Problem['conflict']>
type Choices = Readonly<Record<string, Side>>

/**
 * The requests to save one edit that got no response. The server may have made their changes. `key` is the Idempotency-Key of the
 * last save, `content` identifies what the last save has sent, and `sent` has the fields that each save has sent.
 */
const UnansweredSaves = z.object({ key: z.string(), content: z.string(), sent: z.array(z.record(z.string(), z.unknown())) })
export type UnansweredSaves = z.infer<typeof UnansweredSaves>

/** The schema of an `Edit` whose form values have the given schema. */
export const createEditSchema = (values: z.ZodMiniType<FieldValues>) =>
  z.object({
    id: z.uuid(),
    base: values,
    version: z.int(),
    values,
    unanswered: z.optional(UnansweredSaves),
    remembered: z.optional(z.record(z.string(), z.string())),
  })

/**
 * An unsaved edit. `id` is the id of the record; a new record gets its id before it is saved. `base` and `version` are the saved values and
 * the version with which the edit began, and `values` are the current form values. `remembered` is what the form of one kind
 * stores besides its values, such as where a value came from, until the edit is saved or discarded.
 */
export type Edit = z.infer<ReturnType<typeof createEditSchema>>

/** Returns the conflicting fields that the form contains. */
const getConflictingFields = ({ fields }: Conflict, labels: FieldLabels): string[] =>
  fields.map(({ field }) => field).filter((field) => field in labels)

/**
 * Returns the conflicting fields for which the user selects one of the two values, in the order of the form. Fields with the same label,
 * such as the name and the link of a company, share one selection; only the first of them is returned.
 */
export function getFieldsToChoose(conflict: Conflict, labels: FieldLabels): string[] {
  const conflicting = getConflictingFields(conflict, labels)
  const fields = Object.keys(labels).filter((field) => conflicting.includes(field))
  return fields.filter((field, index) => fields.findIndex((other) => labels[other] === labels[field]) === index)
}

/** Returns the value that the other change has saved in a field. */
export const getTheirValue = (conflict: Conflict, field: string): unknown => conflict.fields.find((each) => each.field === field)?.theirs

/** The current conflict, and for each field which of the two values the user has selected. */
export function useConflict() {
  const [conflict, setConflict] = useState<Conflict>()
  const [choices, setChoices] = useState<Choices>({})
  return {
    conflict,
    choices,
    choose: (field: string, side: Side) => setChoices({ ...choices, [field]: side }),
    /** Sets the current conflict and clears the choices. Undefined ends the conflict. */
    setConflict: (next: Conflict | undefined) => {
      setConflict(next)
      setChoices({})
    },
  }
}

/**
 * Returns the edit as if it had begun after the other change: `base` contains the values of the other change, and `values` the selected
 * values. A field without a choice keeps the typed value.
 */
export function applyChoices(edit: Edit, conflict: Conflict, choices: Choices, labels: FieldLabels): Edit {
  const fields = getConflictingFields(conflict, labels)
  const fieldsToChoose = getFieldsToChoose(conflict, labels)
  /** Fields with the same label share one choice. */
  const getChoice = (field: string): Side | undefined => choices[fieldsToChoose.find((other) => labels[other] === labels[field]) ?? field]
  const fieldsWithTheirs = fields.filter((field) => getChoice(field) === 'theirs')
  return {
    ...edit,
    base: { ...edit.base, ...getTheirValues(conflict, fields) },
    version: conflict.version,
    values: { ...edit.values, ...getTheirValues(conflict, fieldsWithTheirs) },
  }
}

const getTheirValues = (conflict: Conflict, fields: readonly string[]): FieldValues =>
  Object.fromEntries(fields.map((field) => [field, toFormValue(getTheirValue(conflict, field))]))
