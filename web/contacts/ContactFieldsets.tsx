import { TextInput, Textarea, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Contact } from '#contract/contacts.ts'
import { ConflictField } from './ConflictField.tsx'
import { fieldsInConflict } from './conflicts.ts'
import classes from './ContactForm.module.css'
import type { ContactField } from './contactValues.ts'
import { FieldLabel } from './FieldLabel.tsx'
import { LeadSourceField } from './LeadSourceField.tsx'
import { ReportsToField } from './ReportsToField.tsx'
import type { ContactEditor } from './useContactEditor.ts'

type ContactFieldsetsProps = { editor: ContactEditor; contact: Contact | undefined }

/** All fields of a contact, in the sections of the form. A field that was changed on both sides shows both values instead. */
export function ContactFieldsets({ editor, contact }: ContactFieldsetsProps) {
  const { form, conflict } = editor
  const unsettled = conflict ? fieldsInConflict(conflict) : []
  const field = (name: ContactField, input: ReactNode) =>
    conflict && unsettled.includes(name) ? <ConflictField key={name} field={name} conflict={conflict} editor={editor} /> : input
  const text = (name: ContactField, props: TextInputProps = {}) =>
    field(name, <TextInput key={name} label={<FieldLabel field={name} />} name={name} {...props} {...form.getInputProps(name)} />)
  return (
    <>
      <Section title="Basic Information">
        <div className={classes['pair']}>
          {text('first_name', { required: true, withAsterisk: false })}
          {text('last_name', { required: true, withAsterisk: false })}
        </div>
      </Section>
      <Section title="Contact Details">
        {text('email', { type: 'email', inputMode: 'email' })}
        {text('phone', { type: 'tel' })}
        {text('mobile_phone', { type: 'tel' })}
      </Section>
      <Section title="Professional Information">
        <div className={classes['pair']}>
          {text('company')}
          {text('title')}
        </div>
        {text('department')}
        {field('reports_to_id', <ReportsToField form={form} contact={contact} />)}
      </Section>
      <Section title="Mailing Address">
        {text('mailing_street')}
        <div className={classes['pair']}>
          {text('mailing_city')}
          {text('mailing_postal_code')}
        </div>
        <div className={classes['pair']}>
          {text('mailing_state')}
          {text('mailing_country')}
        </div>
      </Section>
      <Section title="Additional Information">
        {field('lead_source', <LeadSourceField form={form} contact={contact} />)}
        {field(
          'description',
          <Textarea
            label={<FieldLabel field="description" />}
            name="description"
            autosize
            minRows={4}
            maxRows={16}
            {...form.getInputProps('description')}
          />,
        )}
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes['section']}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
