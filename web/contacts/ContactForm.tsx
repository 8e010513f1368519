import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { leadSources, type Contact } from '#contract/contacts.ts'
import type { FieldValues } from '#web/records/form/fields.ts'
import { LinkField } from '#web/records/form/LinkField.tsx'
import { AddPage, EditPage } from '#web/records/form/RecordFormPage.tsx'
import { ChoiceField, FieldSection, FieldPair, MultilineField, TextField } from '#web/records/form/RecordInputs.tsx'
import { TagsField } from '#web/records/form/TagsField.tsx'
import type { RecordEditor } from '#web/records/form/useRecordEditor.ts'
import { linkedRecordQuery } from '#web/records/links/linkChoices.tsx'
import { CompanyField } from './CompanyField.tsx'
import { contactKind } from './contactKind.tsx'
import { parseFields } from './newContact.ts'

const newContactRoute = getRouteApi('/signed-in/crm/contacts/new')

export function AddContactPage() {
  const { name, company } = newContactRoute.useSearch()
  const link = useCompanyLink(company)
  return (
    <AddPage kind={contactKind} prefilledFields={link && { ...parseFields(name), ...link }}>
      {(editor) => <ContactFields editor={editor} />}
    </AddPage>
  )
}

export const EditContactPage = () => (
  <EditPage kind={contactKind}>{(editor, contact) => <ContactFields editor={editor} contact={contact} />}</EditPage>
)

/**
 * Returns the initial values that link a new contact to a company. Returns undefined until the company is loaded, and no values if the
 * company does not exist.
 */
function useCompanyLink(id = ''): FieldValues | undefined {
  const { data: company, isPending } = useQuery({ ...linkedRecordQuery('company', id), enabled: id !== '' })
  if (id !== '' && isPending) return undefined
  return company ? { company: company.title, company_id: id } : {}
}

function ContactFields({ editor, contact }: { editor: RecordEditor; contact?: Contact }) {
  return (
    <>
      <FieldSection title="Basic Information">
        <FieldPair>
          <TextField editor={editor} field="first_name" required />
          <TextField editor={editor} field="last_name" required />
        </FieldPair>
      </FieldSection>
      <FieldSection title="Contact Details">
        <TextField editor={editor} field="email" type="email" inputMode="email" />
        <TextField editor={editor} field="phone" type="tel" />
        <TextField editor={editor} field="mobile_phone" type="tel" />
      </FieldSection>
      <FieldSection title="Professional Information">
        <FieldPair>
          <CompanyField editor={editor} />
          <TextField editor={editor} field="title" />
        </FieldPair>
        <TextField editor={editor} field="department" />
        <LinkField
          editor={editor}
          field="reports_to_id"
          linkedKind="contact"
          excludedId={contact?.id}
          savedLink={contact && { id: contact.reports_to_id, title: contact.reports_to_name }}
        />
      </FieldSection>
      <FieldSection title="Mailing Address">
        <TextField editor={editor} field="mailing_street" />
        <FieldPair>
          <TextField editor={editor} field="mailing_city" />
          <TextField editor={editor} field="mailing_postal_code" />
        </FieldPair>
        <FieldPair>
          <TextField editor={editor} field="mailing_state" />
          <TextField editor={editor} field="mailing_country" />
        </FieldPair>
      </FieldSection>
      <FieldSection title="Additional Information">
        <ChoiceField editor={editor} field="lead_source" choices={listLeadSourceChoices(contact)} />
        <TagsField editor={editor} kind={contactKind} />
        <MultilineField editor={editor} field="description" minRows={4} maxRows={16} />
      </FieldSection>
    </>
  )
}

/** Adds an imported lead source to the choices, so that saving the form does not remove it. */
function listLeadSourceChoices(contact: Contact | undefined): { value: string; label: string }[] {
  const sources = new Set<string>([...leadSources, contact?.lead_source ?? ''])
  sources.delete('')
  return [{ value: '', label: 'None' }, ...[...sources].map((source) => ({ value: source, label: source }))]
}
