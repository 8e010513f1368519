import { saveProfile } from './profile.ts'
import { toastError } from './toasts.ts'

/** Hides the first steps on the dashboard, in every browser of the account. They tell a new user what to do first. */
export const hideFirstSteps = (): Promise<void> =>
  save({ isHidden: true }, { title: 'First steps hidden', message: 'The account page can show them again.' })

/** Shows the first steps on the dashboard again. */
export const showFirstSteps = (): Promise<void> => save({ isHidden: false }, { title: 'First steps shown' })

async function save({ isHidden }: { isHidden: boolean }, toast: { title: string; message?: string }): Promise<void> {
  try {
    await saveProfile({ first_steps_hidden: isHidden }, toast)
  } catch (error) {
    toastError(error)
  }
}
