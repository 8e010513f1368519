import * as z from 'zod/mini'
import { recordKinds } from './kinds.ts'
import type { Filters } from './lists.ts'
import { emailOrEmpty, phoneOrEmpty, singleLineText, requiredText, removeInputChecks, Tags } from './fields.ts'
import { NewRecordId, recordRoutes, systemFields, tagRoutes, Version } from './records.ts'
import { sumRoutes } from './sums.ts'

/** The columns of an export, in their order. */
export const companyColumns = ['name', 'industry', 'website', 'phone', 'email', 'employees_count', 'tags', 'created_at'] as const

const companySorts = ['newest', 'name', 'industry', 'employees_count'] as const

export const companyFilters = {
  name: 'text',
  industry: 'text',
  website: 'text',
  phone: 'text',
  email: 'text',
  employees_count: 'number',
  tags: 'tags',
  created_at: 'instant',
} as const satisfies Filters

const maxEmployees = 100_000_000

const fields = {
  name: requiredText('name', 200),
  industry: singleLineText(200),
  // the search index holds at most 2,700 bytes per row, so the limits of all searched fields together must fit, also with multi-byte
  // letters
  website: singleLineText(300).check(
    // `http://` or `https://`, then a host name with a dot
    z.refine((text) => text === '' || /^https?:\/\/[^\s/.]+\.\S+$/i.test(text), 'Enter an address like https://example.com'),
  ),
  phone: phoneOrEmpty,
  email: emailOrEmpty,
  employees_count: z.nullable(z.int().check(z.gte(0, 'At least 0'), z.lte(maxEmployees, 'At most 100,000,000'))),
  tags: Tags,
}

/** The fields of the form. Empty text means unknown. */
export const CompanyFields = z.strictObject(fields)
export type CompanyFields = z.output<typeof CompanyFields>

export const emptyCompany: CompanyFields = { name: '', industry: '', website: '', phone: '', email: '', employees_count: null, tags: [] }

export const Company = z.object({ ...systemFields, ...removeInputChecks(fields) })
export type Company = z.infer<typeof Company>

/** A company in a list. */
export const CompanyRow = z.omit(Company, { updated_at: true })
export type CompanyRow = z.infer<typeof CompanyRow>

const optionalFields = z.partial(CompanyFields)

export const companyRoutes = {
  ...recordRoutes({
    kind: recordKinds.company,
    FullRecord: Company,
    Row: CompanyRow,
    New: z.extend(optionalFields, { name: fields.name, id: NewRecordId }),
    Patch: z.extend(optionalFields, { version: Version }),
    BulkPatch: z.pick(optionalFields, { industry: true }),
    sorts: companySorts,
    filters: companyFilters,
    columns: companyColumns,
    example: {
      query: { search: 'engines', sort: 'name', limit: '10', filter: '[{"field":"employees_count","from":1}]' },
      new: { name: 'Difference Works', industry: 'Machines', website: 'https://difference.example', employees_count: 12 },
      patch: { industry: 'Mathematics' },
      bulkPatch: { industry: 'Mathematics' },
    },
  }),
  ...tagRoutes(recordKinds.company, companyFilters),
  ...sumRoutes(recordKinds.company, companyFilters, 'employees_count'),
}
