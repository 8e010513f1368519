import type { ContactFields } from '#contract/contacts.ts'
import { ownerCountry } from '#server/accounts/accounts.ts'
import { readCompanyNames } from '#server/companies/companies.ts'
import type { Fields } from '#server/platform/records/kind.ts'
import { namesCountry, phoneKey } from './phones.ts'

type Given = Partial<Pick<ContactFields, 'company' | 'company_id' | 'phone' | 'mobile_phone'>>

/** Derives columns from the written fields of contacts: phone keys, and the name or the link of the company. */
export async function deriveColumns(owner: string, writes: readonly Given[]): Promise<Fields[]> {
  const hasNational = writes.some(({ phone, mobile_phone }) => [phone, mobile_phone].some((number) => number && !namesCountry(number)))
  const companyIds = writes.flatMap(({ company, company_id }) => (company === undefined && company_id ? [company_id] : []))
  const [country, names] = await Promise.all([
    hasNational ? ownerCountry(owner) : '',
    companyIds.length > 0 ? readCompanyNames(owner, companyIds) : new Map<string, string>(),
  ])
  return writes.map((write) => ({ ...linkedCompanyFields(write, names), ...phoneKeys(write, country) }))
}

/** Keeps the name and the link of a company consistent: a new link sets the name, and a new name without a link removes the link. */
function linkedCompanyFields({ company, company_id }: Given, names: ReadonlyMap<string, string>): Fields {
  if (company !== undefined) return company_id === undefined ? { company_id: null } : {}
  const name = names.get(company_id?.toLowerCase() ?? '')
  return name === undefined ? {} : { company: name }
}

function phoneKeys({ phone, mobile_phone }: Given, country: string): Fields {
  return {
    ...(phone !== undefined && { phone_key: phoneKey(phone, country) }),
    ...(mobile_phone !== undefined && { mobile_phone_key: phoneKey(mobile_phone, country) }),
  }
}
