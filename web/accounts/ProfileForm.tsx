import '#web/ui/choices.css'
import { useMemo, type FormEvent, type ReactNode } from 'react'
import { Button, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Profile } from '#contract/accounts.ts'
import { saveProfile } from '#web/lib/profile.ts'
import { useSession } from '#web/lib/session.ts'
import { toastError } from '#web/lib/toasts.ts'
import { ConflictBanner, RestoredDraftBanner } from '#web/records/form/EditorBanners.tsx'
import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { useRecordEditor, type RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { listCountries, listCurrencies, listTimezones, type Choice } from '#web/lib/localeChoices.ts'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { profileForm, type ProfileField } from './profile.ts'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'

/** Edits the profile: name, time zone, country and currency. */
export function ProfileForm() {
  const { profile } = useSession()
  const editor = useRecordEditor(profileForm, profile)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    editor.save(() => {})
  }
  return (
    <SettingsSection title="You" description="Your name greets you; the rest decides how times, phone numbers and money are read.">
      <form onSubmit={submit} noValidate>
        <div className={classes['notes']}>
          {editor.isDraftRestored && <RestoredDraftBanner onStartOver={editor.startOver} />}
          <ConflictBanner editor={editor} />
        </div>
        <ProfileFields editor={editor} profile={profile} />
        <div className={settings['actions']}>
          <Button type="submit" disabled={!editor.hasUnsavedChanges} loading={editor.saving}>
            Save changes
          </Button>
          {editor.hasUnsavedChanges && (
            <Button variant="default" onClick={editor.startOver}>
              Cancel
            </Button>
          )}
          {!editor.hasUnsavedChanges && !profile.region_confirmed && <ConfirmRegion />}
        </div>
      </form>
    </SettingsSection>
  )
}

/** Confirms the time zone, country and currency that were guessed at sign-up. */
function ConfirmRegion() {
  const request = useMutation({
    mutationFn: () => saveProfile({ region_confirmed: true }, { title: 'Account updated' }),
    onError: (error) => toastError(error),
  })
  return (
    <Button variant="default" loading={request.isPending} onClick={() => request.mutate()}>
      Time zone and currency are right
    </Button>
  )
}

function ProfileFields({ editor, profile }: { editor: RecordEditor; profile: Profile }) {
  const { form } = editor
  const timezoneChoices = useMemo(() => listTimezones(profile.timezone), [profile.timezone])
  const currencyChoices = useMemo(() => listCurrencies(profile.currency), [profile.currency])
  const countryChoices = useMemo(() => listCountries(), [])
  const renderField = (name: ProfileField, input: ReactNode, { isWide } = { isWide: false }) => (
    <div className={isWide ? classes['wide'] : undefined}>
      <RecordField editor={editor} field={name}>
        {input}
      </RecordField>
    </div>
  )
  const getChoiceProps = (name: ProfileField) => ({
    value: toText(form.values[name]),
    error: form.errors[name],
    onChoose: (value: string) => form.setFieldValue(name, value),
  })
  return (
    <div className={`${settings['fields']} ${classes['columns']}`}>
      {renderField('full_name', <TextInput label="Full name" autoComplete="name" {...form.getInputProps('full_name')} />, { isWide: true })}
      {renderField('timezone', <ChoiceField label="Time zone" choices={timezoneChoices} {...getChoiceProps('timezone')} />, {
        isWide: true,
      })}
      {renderField(
        'country',
        <ChoiceField label="Country" placeholder="Not chosen" choices={countryChoices} {...getChoiceProps('country')} />,
      )}
      {renderField('currency', <ChoiceField label="Currency" choices={currencyChoices} {...getChoiceProps('currency')} />)}
    </div>
  )
}

type ChoiceFieldProps = {
  label: string
  choices: Choice[]
  value: string
  error?: ReactNode
  /** The text of the empty field. A field with a placeholder can be cleared. */
  placeholder?: string
  onChoose: (value: string) => void
}

/** A field that selects one of many values. Typing filters the values. */
function ChoiceField({ label, choices, value, error, placeholder, onChoose }: ChoiceFieldProps) {
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      selectFirstOptionOnChange
      clearable={placeholder !== undefined}
      allowDeselect={false}
      limit={100}
      nothingFoundMessage={`No ${label.toLowerCase()} found`}
      data={choices}
      value={value || null}
      error={error}
      onChange={(newValue) => onChoose(newValue ?? '')}
      onFocus={(event) => event.currentTarget.select()} // selects the text, so that typing replaces it
    />
  )
}
