import { useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { AiSettings } from '#web/ai/AiSettings.tsx'
import { hideFirstSteps, showFirstSteps } from '#web/lib/firstSteps.ts'
import { useSession } from '#web/lib/session.ts'
import { CheckboxList } from '#web/ui/CheckboxList.tsx'
import { colorSchemes } from '#web/ui/colorSchemes.ts'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { DownloadEverything } from './DownloadEverything.tsx'
import { EmailForm } from './EmailForm.tsx'
import { EraseHistory } from './EraseHistory.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SessionList } from './SessionList.tsx'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'

/** The settings of the signed-in user's account. */
export function AccountPage() {
  return (
    <>
      <PageBar title="Account" />
      <div className={settings['body']} data-line data-divided>
        <ProfileForm />
        <ThemeChoice />
        <FirstStepsChoice />
        <SettingsSection
          title="AI assistant"
          anchor="ai"
          description="It answers questions about your workspace, makes pictures, reads files and improves notes. What you ask, and what it looks up for that, is sent to the service that is connected here and to no other."
        >
          <AiSettings />
        </SettingsSection>
        <EmailForm />
        <PasswordForm />
        <OutboxLink />
        <SessionList />
        <DownloadEverything />
        <EraseHistory />
        <DeleteAccount />
      </div>
    </>
  )
}

const OutboxLink = () => (
  <SettingsSection
    title="Mail"
    description={
      <>
        Mails to your visitors about bookings, and to you about bookings and submissions. <Link to="/account/outbox">Open the outbox</Link>
      </>
    }
  />
)

function FirstStepsChoice() {
  const { first_steps_hidden: isHidden } = useSession().profile
  return (
    <SettingsSection title="First steps" description="A checklist on the dashboard, until everything on it is done.">
      <div className={classes['choices']}>
        <CheckboxList
          label="First steps"
          choices={[{ value: 'shown', label: 'Show first steps' }]}
          selected={isHidden ? [] : ['shown']}
          onChange={([shown]) => void (shown ? showFirstSteps() : hideFirstSteps())}
        />
      </div>
    </SettingsSection>
  )
}

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SettingsSection title="Theme" description="On this device only.">
      <fieldset className={classes['themes']} aria-label="Theme">
        {colorSchemes.map(({ value, label, icon: Icon }) => (
          <label key={value} className={classes['theme']}>
            <input type="radio" name="theme" checked={colorScheme === value} onChange={() => setColorScheme(value)} />
            <Icon size={16} stroke={1.75} aria-hidden="true" />
            {label}
          </label>
        ))}
      </fieldset>
    </SettingsSection>
  )
}
