import * as z from 'zod/mini'
import { accountRoutes, ProfilePatch, type Profile } from '#contract/accounts.ts'
import { callForChange } from '#web/lib/client.ts'
import { toastChange } from '#web/lib/undo.ts'
import type { RecordForm, SaveRequest } from '#web/records/form/recordForm.ts'
import { cacheProfile } from './queries.ts'

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
  save: updateProfile,
}

async function updateProfile({ fields, version, idempotencyKey }: SaveRequest<Profile>): Promise<Profile> {
  const body = ProfilePatch.parse({ ...fields, version })
  const { response, changeId } = await callForChange(accountRoutes.updateProfile, { body }, { idempotencyKey })
  cacheProfile(response)
  toastChange('Account updated', changeId)
  return response
}
