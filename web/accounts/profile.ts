import type { Profile } from '#contract/accounts.ts'
import type { Problem } from '#contract/errors.ts'
import { ProblemError } from '#web/lib/client.ts'

const fields = ['full_name', 'timezone', 'country', 'currency'] as const
export type ProfileField = (typeof fields)[number]
export type ProfileFields = Pick<Profile, ProfileField>
export type ProfileConflict = NonNullable<Problem['conflict']>

export const fieldsOf = ({ full_name, timezone, country, currency }: Profile): ProfileFields => ({ full_name, timezone, country, currency })

export const isProfileField = (name: string): name is ProfileField => fields.some((field) => field === name)

/** What differs from where the edit began. */
export function changedFields(started: Profile, values: ProfileFields): Partial<ProfileFields> {
  return Object.fromEntries(fields.filter((field) => values[field] !== started[field]).map((field) => [field, values[field]]))
}

/** What the server says when somebody else changed the same field meanwhile. */
export function conflictOf(error: unknown): ProfileConflict | undefined {
  return error instanceof ProblemError ? error.problem.conflict : undefined
}
