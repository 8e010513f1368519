import { PageBar } from '#web/ui/PageBar.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { EmailForm } from './EmailForm.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SessionList } from './SessionList.tsx'
import { ThemeChoice } from './ThemeChoice.tsx'
import classes from './AccountPage.module.css'

/** Everything about the person's own account on one page. */
export function AccountPage() {
  return (
    <>
      <PageBar title="Account" />
      <div className={classes['body']}>
        <ProfileForm />
        <ThemeChoice />
        <EmailForm />
        <PasswordForm />
        <SessionList />
        <DeleteAccount />
      </div>
    </>
  )
}
