import * as z from 'zod/mini'
import type { Filters } from './lists.ts'
import { recordKinds } from './kinds.ts'
import { At, systemFields, emailOrEmpty, GivenId, line, recordRoutes, requiredLine, tagRoutes, Tags, Version } from './records.ts'

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

const mostEmployees = 100_000_000

const fields = {
  name: requiredLine('name', 200),
  industry: line(200),
  // together with the other searched fields it must fit a row of an index, 2,700 bytes, in any letters
  website: line(300).check(
    z.refine((text) => text === '' || /^https?:\/\/[^\s/.]+\.\S+$/i.test(text), 'Enter an address like https://example.com'),
  ),
  phone: line(50),
  email: emailOrEmpty,
  employees_count: z.nullable(z.int().check(z.gte(0, 'At least 0'), z.lte(mostEmployees, 'At most 100,000,000'))),
  tags: Tags,
}

/** What a person fills in. Empty text means not known. */
export const CompanyFields = z.strictObject(fields)
export type CompanyFields = z.output<typeof CompanyFields>

/** A company of which nothing is known yet. */
export const emptyCompany: CompanyFields = { name: '', industry: '', website: '', phone: '', email: '', employees_count: null, tags: [] }

export const Company = z.object({ ...systemFields, ...fields, tags: z.array(z.string()) })
export type Company = z.infer<typeof Company>

/** A company as lists show it. */
export const CompanyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  industry: z.string(),
  website: z.string(),
  phone: z.string(),
  email: z.string(),
  employees_count: z.nullable(z.int()),
  tags: z.array(z.string()),
  created_at: At,
  version: z.int(),
})
export type CompanyRow = z.infer<typeof CompanyRow>

const anyFields = z.partial(CompanyFields)

/** A new company: what is left out is empty. The id is of version 7, made by the caller, so that a retry cannot add it twice. */
const NewCompany = z.extend(anyFields, { name: fields.name, id: GivenId })

/** Only what the person changed, and the version that the edit started from; without the version the edit wins. */
const CompanyPatch = z.extend(anyFields, { version: Version })

export const companyRoutes = {
  ...recordRoutes({
    kind: recordKinds.company,
    Kept: Company,
    Row: CompanyRow,
    New: NewCompany,
    Patch: CompanyPatch,
    Edit: z.pick(anyFields, { industry: true }),
    sorts: companySorts,
    filters: companyFilters,
    columns: companyColumns,
    example: {
      query: { search: 'engines', sort: 'name', limit: '10', filter: '[{"field":"employees_count","from":1}]' },
      new: { name: 'Difference Works', industry: 'Machines', website: 'https://difference.example', employees_count: 12 },
      patch: { industry: 'Mathematics' },
      edit: { industry: 'Mathematics' },
    },
  }),
  ...tagRoutes(recordKinds.company, companyFilters),
}
