import { type ProfilePatch, accountSettingsRoutes } from '#contract/accountSettings.ts'
import { type Profile } from '#contract/accounts.ts'
import { callForChange } from './client.ts'
import { setRegion } from './format.ts'
import { queries } from './queries.ts'
import { sessionQuery } from './session.ts'
import { toastChange } from './undo.ts'

type SaveOptions = { title: string; message?: string; idempotencyKey?: string }

/** Saves fields of the profile, and shows a toast with Undo. Throws `ProblemError`. */
export async function saveProfile(body: ProfilePatch, { title, message, ...options }: SaveOptions): Promise<Profile> {
  const { response, changeId } = await callForChange(accountSettingsRoutes.updateProfile, { body }, options)
  setRegion(response) // formats dates and numbers for the region of the profile from now on
  queries.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, profile: response })
  toastChange(title, changeId, message)
  return response
}
