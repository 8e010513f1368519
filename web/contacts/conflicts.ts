import * as z from 'zod/mini'
import type { Problem } from '#contract/errors.ts'
import type { Side } from '#web/ui/FieldConflict.tsx'
import { ContactValues, isContactField, type ContactField } from './contactValues.ts'

export type Conflict = NonNullable<Problem['conflict']>
export type Choices = Partial<Record<ContactField, Side>>

/** An edit: what it started from, and what is typed now. */
export type Edit = { base: ContactValues; version: number; values: ContactValues }

/** The fields that wait for a choice, in the order of the form. */
export const fieldsInConflict = ({ fields }: Conflict): ContactField[] => fields.map(({ field }) => field).filter(isContactField)

/** What somebody else put into a field. */
export const theirs = (conflict: Conflict, field: ContactField): unknown => conflict.fields.find((each) => each.field === field)?.theirs

/** The same edit on top of what others saved meanwhile. Where nothing was chosen, what was typed stays. */
export function settle({ base, values }: Edit, conflict: Conflict, choices: Choices): Edit {
  const fields = fieldsInConflict(conflict)
  const others = valuesOfOthers(conflict, fields)
  const taken = valuesOfOthers(
    conflict,
    fields.filter((field) => choices[field] === 'theirs'),
  )
  return { base: { ...base, ...others }, version: conflict.version, values: { ...values, ...taken } }
}

function valuesOfOthers(conflict: Conflict, fields: readonly ContactField[]): Partial<ContactValues> {
  return z.partial(ContactValues).parse(Object.fromEntries(fields.map((field) => [field, theirs(conflict, field)])))
}
