import { TextInput, Textarea, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { contactRoutes, type Contact, type ContactFields } from '#contract/contacts.ts'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { nameIn } from '#web/records/links/linkedRecords.tsx'
import { RecordField } from '#web/records/form/RecordField.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { CompanyField } from './CompanyField.tsx'
import classes from './ContactForm.module.css'
import { FieldLabel } from './FieldLabel.tsx'
import { LeadSourceField } from './LeadSourceField.tsx'
import { contactsTable } from './queries.ts'

const companyName = nameIn('company')

type ContactFieldsetsProps = { editor: RecordEditor; contact: Contact | undefined }

/** All fields of a contact, in the sections of the form. A field that was changed on both sides shows both values instead. */
export function ContactFieldsets({ editor, contact }: ContactFieldsetsProps) {
  const { form } = editor
  const field = (name: keyof ContactFields, input: ReactNode) => (
    <RecordField editor={editor} field={name}>
      {input}
    </RecordField>
  )
  const text = (name: keyof ContactFields, props: TextInputProps = {}) =>
    field(name, <TextInput label={<FieldLabel field={name} />} name={name} {...props} {...form.getInputProps(name)} />)
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
          {field('company', <CompanyField form={form} />)}
          {text('title')}
        </div>
        <RecordField editor={editor} field="company_id" show={companyName}>
          {null}
        </RecordField>
        {text('department')}
        <LinkField
          editor={editor}
          field="reports_to_id"
          to="contact"
          except={contact?.id}
          saved={contact && { id: contact.reports_to_id, name: contact.reports_to_name }}
        />
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
        <TagsField editor={editor} table={contactsTable} routes={contactRoutes} />
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
