import { Textarea, TextInput } from '@mantine/core'
import type { LeadForm } from '#contract/leadForms.ts'
import { toSlug } from '#contract/slugs.ts'
import { CopyableText } from '#web/ui/CopyableText.tsx'
import { getPublicAddress } from '../queries.ts'
import type { FormDraft } from './draft.ts'
import classes from './EditorPage.module.css'

const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone

type FormSettingsProps = {
  draft: FormDraft
  saved: LeadForm
  errors: Readonly<Record<string, string>>
  onChange: (changes: Partial<FormDraft>) => void
}

/** The texts of a form, its redirect after a submission, when it closes, and its link and code to share. */
export function FormSettings({ draft, saved, errors, onChange }: FormSettingsProps) {
  const propsOf = (name: 'title' | 'slug' | 'description' | 'success_message' | 'redirect_url' | 'closes_at' | 'max_submissions') => ({
    name,
    value: draft[name],
    error: errors[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => onChange({ [name]: value }),
  })
  const snippet = `<script src="${location.origin}/embed/form.js" data-form="${saved.slug}" async></script>`
  return (
    <>
      <section className={classes['section']} aria-labelledby="form-texts">
        <h2 id="form-texts">Texts</h2>
        <TextInput label="Title" maxLength={200} autoComplete="off" {...propsOf('title')} />
        <TextInput
          label="URL slug"
          description={`${location.host}/form/${toSlug(draft.slug)}`}
          maxLength={300}
          autoComplete="off"
          {...propsOf('slug')}
        />
        <Textarea label="Description" autosize minRows={2} maxRows={8} {...propsOf('description')} />
        <Textarea label="Success message" autosize minRows={2} maxRows={8} {...propsOf('success_message')} />
      </section>
      <section className={classes['section']} aria-labelledby="form-after">
        <h2 id="form-after">After a submission, and the end</h2>
        <TextInput
          label="Go to this address"
          description="Instead of the success message. Empty: visitors stay on the page."
          placeholder="https://example.com/thanks"
          autoComplete="off"
          {...propsOf('redirect_url')}
        />
        <TextInput
          type="datetime-local"
          max="9999-12-31T23:59"
          label="Closes at"
          description={`From then on it takes no submissions. In the time zone of this device: ${deviceZone}.`}
          {...propsOf('closes_at')}
        />
        <TextInput
          type="number"
          min={1}
          max={1_000_000}
          label="Maximum number of submissions"
          description="Spam does not count."
          {...propsOf('max_submissions')}
        />
      </section>
      <section className={classes['section']} aria-labelledby="form-share">
        <h2 id="form-share">Share</h2>
        <p className={classes['hint']}>Send people the link, or show the form on your website with this code.</p>
        <CopyableText text={getPublicAddress(saved)} label="Copy link" />
        <CopyableText text={snippet} label="Copy code" />
      </section>
    </>
  )
}
