import type { ContactFields } from '#contract/contacts.ts'
import { readOwnerCountry } from '#server/accounts/accounts.ts'
import { readCompanyNames } from '#server/companies/companies.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { hasCountryCode, phoneKey } from './phones.ts'

/** The fields of a new contact or an edit from which columns are derived. */
type WrittenFields = Partial<Pick<ContactFields, 'company' | 'company_id' | 'phone' | 'mobile_phone'>>

/** Derives phone keys, and the name or the link of the company, from the fields of each write. Returns the columns in the order of `writes`. */
export async function deriveColumns(owner: string, writes: readonly WrittenFields[]): Promise<Fields[]> {
  const numbers = writes.flatMap(({ phone, mobile_phone }) => [phone ?? '', mobile_phone ?? ''])
  const isCountryNeeded = numbers.some((number) => number !== '' && !hasCountryCode(number))
  const companyIds = writes.flatMap(({ company, company_id }) => (company === undefined && company_id ? [company_id] : []))
  const [country, names] = await Promise.all([
    isCountryNeeded ? readOwnerCountry(owner) : '',
    companyIds.length > 0 ? readCompanyNames(owner, companyIds) : new Map<string, string>(),
  ])
  return writes.map((write) => ({ ...linkedCompanyFields(write, names), ...phoneKeys(write, country) }))
}

/** Keeps the name and the link of a company consistent: a new link sets the name, and a new name without a link removes the link. */
function linkedCompanyFields({ company, company_id }: WrittenFields, names: ReadonlyMap<string, string>): Fields {
  if (company !== undefined) return company_id === undefined ? { company_id: null } : {}
  const name = names.get(company_id?.toLowerCase() ?? '')
  return name === undefined ? {} : { company: name }
}

function phoneKeys({ phone, mobile_phone }: WrittenFields, country: string): Fields {
  return {
    ...(phone !== undefined && { phone_key: phoneKey(phone, country) }),
    ...(mobile_phone !== undefined && { mobile_phone_key: phoneKey(mobile_phone, country) }),
  }
}
