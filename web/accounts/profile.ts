import * as z from 'zod/mini'
import { ProfilePatch } from '#contract/accountSettings.ts'
import { type Profile } from '#contract/accounts.ts'
import { saveProfile } from '#web/lib/profile.ts'
import type { RecordForm } from '#web/records/form/recordForm.ts'

const text = z.string()
const ProfileValues = z.object({ full_name: text, timezone: text, country: text, currency: text })
export type ProfileField = keyof z.infer<typeof ProfileValues>

/** The form of the profile: its fields, their labels, and the request that saves them. */
export const profileForm: RecordForm<Profile> = {
  draftName: 'profile',
  labels: { full_name: 'Full name', timezone: 'Time zone', country: 'Country', currency: 'Currency' } satisfies Record<
    ProfileField,
    string
  >,
  valuesSchema: ProfileValues,
  inputSchema: ProfilePatch,
  toValues: (profile) => ProfileValues.parse(profile),
  parse: (changes) => ProfilePatch.parse(changes),
  save: ({ fields, version, idempotencyKey }) =>
    saveProfile(ProfilePatch.parse({ ...fields, version }), { title: 'Account updated', idempotencyKey }),
}
