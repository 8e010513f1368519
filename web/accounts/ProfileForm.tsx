import { useMemo, type FormEvent, type ReactNode } from 'react'
import { Button, TextInput } from '@mantine/core'
import type { Profile } from '#contract/accounts.ts'
import { useSession } from '#web/lib/session.ts'
import { ConflictBanner, DraftNote } from '#web/records/form/EditorBanners.tsx'
import { textOf } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { useRecordEditor, type RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { ChoiceField } from './ChoiceField.tsx'
import { countries, currencies, timezones } from './places.ts'
import { profileKind, type ProfileField } from './profile.ts'
import { Section } from './Section.tsx'
import classes from './AccountPage.module.css'

/** Name, time zone, country and currency. */
export function ProfileForm() {
  const { profile } = useSession()
  const editor = useRecordEditor(profileKind, profile)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    editor.save(() => {})
  }
  return (
    <Section title="You" words="Your name greets you; the rest decides how times, phone numbers and money are read.">
      <form onSubmit={submit} noValidate>
        <div className={classes['notes']}>
          {editor.draftFound && <DraftNote onStartOver={editor.startOver} />}
          <ConflictBanner editor={editor} />
        </div>
        <ProfileFields editor={editor} profile={profile} />
        <div className={classes['actions']}>
          <Button type="submit" disabled={!editor.dirty} loading={editor.saving}>
            Save changes
          </Button>
          {editor.dirty && (
            <Button variant="default" onClick={editor.startOver}>
              Cancel
            </Button>
          )}
        </div>
      </form>
    </Section>
  )
}

function ProfileFields({ editor, profile }: { editor: RecordEditor; profile: Profile }) {
  const { form } = editor
  const zones = useMemo(() => timezones(profile.timezone), [profile.timezone])
  const moneys = useMemo(() => currencies(profile.currency), [profile.currency])
  const lands = useMemo(() => countries(), [])
  const field = (name: ProfileField, input: ReactNode, wide = false) => (
    <div className={wide ? classes['wide'] : undefined}>
      <RecordField editor={editor} field={name}>
        {input}
      </RecordField>
    </div>
  )
  const choice = (name: ProfileField) => ({
    value: textOf(form.values[name]),
    error: form.errors[name],
    onChoose: (value: string) => form.setFieldValue(name, value),
  })
  return (
    <div className={classes['fields']}>
      {field('full_name', <TextInput label="Full name" autoComplete="name" {...form.getInputProps('full_name')} />, true)}
      {field('timezone', <ChoiceField label="Time zone" choices={zones} {...choice('timezone')} />, true)}
      {field('country', <ChoiceField label="Country" placeholder="Not chosen" choices={lands} {...choice('country')} />)}
      {field('currency', <ChoiceField label="Currency" choices={moneys} {...choice('currency')} />)}
    </div>
  )
}
