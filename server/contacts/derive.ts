// Columns of a contact that are computed from its fields: the keys of its phone numbers (numbers in the international format E.164, by
// which searches and the duplicate rule find them), and the name and the link of its company.
import type { ContactFields } from '#contract/contacts.ts'
import { readOwnerCountry } from '#server/accounts/accounts.ts'
import { findCompaniesByName, namedCompanySql, readCompanyNames, type NamedCompany } from '#server/companies/companies.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { hasCountryCode, phoneKey } from './phones.ts'

/** The fields from which columns are derived, as a new contact or an edit contains them. */
type WrittenFields = Partial<Pick<ContactFields, 'company' | 'company_id' | 'phone' | 'mobile_phone'>>

/** Derives phone keys and the company from the fields of each write. Returns the columns in the order of `writes`. */
export async function deriveColumns(owner: string, writes: readonly WrittenFields[]): Promise<Fields[]> {
  const numbers = writes.flatMap(({ phone, mobile_phone }) => [phone ?? '', mobile_phone ?? ''])
  const isCountryNeeded = numbers.some((number) => number !== '' && !hasCountryCode(number))
  const [country, companies] = await Promise.all([isCountryNeeded ? readOwnerCountry(owner) : '', readCompanies(owner, writes)])
  return writes.map((write) => ({ ...deriveCompany(write, companies), ...derivePhoneKeys(write, country) }))
}

type KnownCompanies = { nameById: ReadonlyMap<string, string>; companyByText: ReadonlyMap<string, NamedCompany> }

/** Reads the linked companies and the companies whose names were typed. Contacts without a company need no query. */
async function readCompanies(owner: string, writes: readonly WrittenFields[]): Promise<KnownCompanies> {
  const ids = writes.flatMap(({ company_id }) => company_id ?? [])
  const texts = writes.flatMap(({ company, company_id }) => (company && !company_id ? [company] : []))
  const [nameById, companyByText] = await Promise.all([
    ids.length > 0 ? readCompanyNames(owner, ids) : new Map<string, string>(),
    texts.length > 0 ? findCompaniesByName(owner, texts) : new Map<string, NamedCompany>(),
  ])
  return { nameById, companyByText }
}

/**
 * Keeps the name and the link of a company consistent in all writes of contacts. A link sets the name. If exactly one company
 * has the name, the name sets the link; otherwise the link is removed.
 */
function deriveCompany({ company, company_id }: WrittenFields, { nameById, companyByText }: KnownCompanies): Fields {
  if (company_id) {
    const name = nameById.get(company_id.toLowerCase())
    return name === undefined ? {} : { company: name } // the link to a missing company is refused by the write
  }
  if (company === undefined) return {}
  const match = companyByText.get(company)
  return match ? { company: match.name, company_id: match.id } : { company_id: null }
}

/**
 * Applies the rule of `deriveCompany` to a new contact with a company name, by SQL in the insert statement, which saves a read.
 * `placeholder` returns the SQL parameter with the value of a column.
 */
export function deriveCompanyInInsert({ company, company_id }: Fields) {
  if (!company || company_id) return undefined
  return {
    fields: ['company', 'company_id'],
    columns: (placeholder: (column: string) => string) => ({
      company: `coalesce(${namedCompanySql('name', `${placeholder('company')}::text`)}, ${placeholder('company')}::text)`,
      company_id: `coalesce(${placeholder('company_id')}::uuid, ${namedCompanySql('id', `${placeholder('company')}::text`)})`,
    }),
  }
}

function derivePhoneKeys({ phone, mobile_phone }: WrittenFields, country: string): Fields {
  return {
    ...(phone !== undefined && { phone_key: phoneKey(phone, country) }),
    ...(mobile_phone !== undefined && { mobile_phone_key: phoneKey(mobile_phone, country) }),
  }
}
