import { useMemo } from 'react'
import { Button, TextInput } from '@mantine/core'
import { ChoiceField } from './ChoiceField.tsx'
import { countries, currencies, timezones } from './places.ts'
import { ProfileConflicts } from './ProfileConflicts.tsx'
import { Section } from './Section.tsx'
import { useProfileEditor } from './useProfileEditor.ts'
import type { ProfileField } from './profile.ts'
import classes from './AccountPage.module.css'

/** Name, time zone, country and currency. */
export function ProfileForm() {
  const { form, started, dirty, conflict, busy, submit, cancel } = useProfileEditor()
  const zones = useMemo(() => timezones(started.timezone), [started.timezone])
  const moneys = useMemo(() => currencies(started.currency), [started.currency])
  const lands = useMemo(() => countries(), [])
  const choice = (field: ProfileField) => ({
    value: form.values[field],
    error: form.errors[field],
    onChoose: (value: string) => form.setFieldValue(field, value),
  })
  return (
    <Section title="You" words="Your name greets you; the rest decides how times, phone numbers and money are read.">
      {conflict && (
        <ProfileConflicts key={conflict.version} conflict={conflict} onChoose={(field, value) => form.setFieldValue(field, value)} />
      )}
      <form onSubmit={submit} noValidate>
        <div className={classes['fields']}>
          <TextInput className={classes['wide'] ?? ''} label="Full name" autoComplete="name" {...form.getInputProps('full_name')} />
          <ChoiceField wide label="Time zone" choices={zones} {...choice('timezone')} />
          <ChoiceField label="Country" placeholder="Not chosen" choices={lands} {...choice('country')} />
          <ChoiceField label="Currency" choices={moneys} {...choice('currency')} />
        </div>
        <div className={classes['actions']}>
          <Button type="submit" disabled={!dirty} loading={busy}>
            Save changes
          </Button>
          {dirty && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
        </div>
      </form>
    </Section>
  )
}
