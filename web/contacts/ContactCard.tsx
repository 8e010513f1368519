import {
  IconAlignLeft,
  IconArrowRampRight,
  IconBriefcase,
  IconBuilding,
  IconDeviceMobile,
  IconMail,
  IconMapPin,
  IconPhone,
  IconSitemap,
  IconTags,
  IconUsersGroup,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { mergedContactsKey, syncedValuesKey, type Contact } from '#contract/contacts.ts'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { CardFact, RecordCard } from '#web/records/panel/RecordCard.tsx'
import classes from './ContactCard.module.css'
import { getField } from '#web/records/kind/kind.ts'
import { contactInputs } from './contactInputs.tsx'
import { contactKind, formatAddress } from './contactKind.tsx'

const facts: readonly EditableFact<Contact>[] = [
  { fields: ['email'], icon: IconMail, getCopyText: ({ email }) => email },
  { fields: ['company', 'company_id'], icon: IconBuilding, render: (contact) => <CompanyLink contact={contact} /> },
  { fields: ['phone'], icon: IconPhone, getCopyText: ({ phone }) => phone },
  { fields: ['title'], icon: IconBriefcase },
  { fields: ['mobile_phone'], icon: IconDeviceMobile, getCopyText: ({ mobile_phone }) => mobile_phone },
  { fields: ['department'], icon: IconUsersGroup },
  {
    fields: ['mailing_street', 'mailing_city', 'mailing_postal_code', 'mailing_state', 'mailing_country'],
    label: 'Address',
    icon: IconMapPin,
    render: formatAddress,
    getCopyText: formatAddress,
  },
  {
    fields: ['reports_to_id'],
    icon: IconSitemap,
    render: ({ reports_to_id, reports_to_name }) =>
      reports_to_id && (
        <Link className="link" to="/crm/contacts/$id" params={{ id: reports_to_id }}>
          {reports_to_name}
        </Link>
      ),
  },
  { fields: ['lead_source'], icon: IconArrowRampRight },
  { fields: ['tags'], icon: IconTags },
  { fields: ['description'], icon: IconAlignLeft, isWide: true },
]

/** The fields of a contact, then the imported values for which contacts have no field, and what a merge did not keep. */
export const ContactCard = ({ contact }: { contact: Contact }) => (
  <>
    <EditableFacts key={contact.id} kind={contactKind} record={contact} inputs={contactInputs} facts={facts} columns={2} />
    <ImportedValues values={contact.raw_data ?? {}} />
    <MergedValues entries={contact.raw_data?.[mergedContactsKey]} />
  </>
)

/** The company of a contact; a link if it has a record. */
const CompanyLink = ({ contact: { company, company_id } }: { contact: Contact }) =>
  company_id ? (
    <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
      {company || 'Company'}
    </Link>
  ) : (
    company
  )

function ImportedValues({ values }: { values: Record<string, unknown> }) {
  const filledValues = Object.entries(values).filter(
    ([name, value]) => value !== null && value !== '' && name !== syncedValuesKey && name !== mergedContactsKey,
  )
  if (filledValues.length === 0) return null
  return (
    <section className={classes['imported']}>
      <h3>Additional data</h3>
      <RecordCard>
        {filledValues.map(([name, value]) => (
          <CardFact key={name} label={name} isLong={isLong(value)}>
            {formatValue(value)}
          </CardFact>
        ))}
      </RecordCard>
    </section>
  )
}

/** How the server stores what merges did not keep. */
const MergedEntries = z.array(z.object({ values: z.optional(z.record(z.string(), z.unknown())) }))

/** Lists below the card what merges did not keep. */
function MergedValues({ entries }: { entries: unknown }) {
  const parsed = z.safeParse(MergedEntries, entries)
  const values = parsed.success ? parsed.data.flatMap((entry) => Object.entries(entry.values ?? {})) : []
  const names = Object.keys(contactKind.fields).filter((name) => !name.endsWith('_id')) // an id says nothing to the user
  const shown = names.flatMap((name) => values.filter(([other]) => other === name))
  if (shown.length === 0) return null
  return (
    <section className={classes['imported']}>
      <h3>Not kept in a merge</h3>
      <RecordCard>
        {shown.map(([name, value], index) => (
          // oxlint-disable-next-line react/no-array-index-key -- several merges may have stored a value of the same field
          <CardFact key={index} label={getField(contactKind, name)?.label ?? name}>
            {Array.isArray(value) ? value.join(', ') : String(value)}
          </CardFact>
        ))}
      </RecordCard>
    </section>
  )
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** In characters. A longer value has the whole width of the card. */
const maxNarrowLength = 80
const isLong = (value: unknown): boolean => formatValue(value).length > maxNarrowLength
