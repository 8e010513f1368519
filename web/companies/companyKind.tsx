import * as z from 'zod/mini'
import { companyFilters, companyRoutes, CompanyFields, emptyCompany } from '#contract/companies.ts'
import { recordKinds } from '#contract/kinds.ts'
import { numberFromText } from '#web/records/form/textSchemas.ts'
import { defineKind } from '#web/records/kind/kind.ts'
import { externalLinks, createMenuLinks } from '#web/records/links/externalLinks.ts'

/** A host with a dot, and a path if any: "example.com", "example.com/shop". */
const hostPattern = /^[^\s:/]+\.[^\s:]+$/

/** Adds a missing `https://` to a typed website. */
const typedWebsite = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => (hostPattern.test(text.trim()) ? `https://${text.trim()}` : text)),
  ),
  CompanyFields.shape.website,
)

export const companyKind = defineKind({
  ...recordKinds.company,
  path: '/crm/companies',
  opensOverList: true,
  relatedTables: [],
  routes: companyRoutes,
  titleOf: ({ name }) => name,
  detailOf: ({ industry }) => industry,
  blank: emptyCompany,
  fields: {
    name: { label: 'Name', required: true },
    industry: { label: 'Industry' },
    website: { label: 'Website', externalLink: 'website' },
    phone: { label: 'Phone', externalLink: 'phone' },
    email: { label: 'Email', externalLink: 'email' },
    employees_count: { label: 'Employees' },
    tags: { label: 'Tags' },
  },
  input: z.extend(CompanyFields, {
    website: typedWebsite,
    employees_count: numberFromText(CompanyFields.shape.employees_count, 'whole'),
  }),
  filters: companyFilters,
  filterFields: ['tags', 'industry', 'employees_count', 'name', 'website', 'email', 'phone', 'created_at'],
  bulkFields: ['industry'],
  sorts: [{ name: 'name' }, { name: 'industry' }, { name: 'employees_count', ascending: 'fewest first', descending: 'most first' }],
  titleCell: { width: 220, secondLine: ({ industry, website, email }) => industry || externalLinks.website.text(website) || email },
  columns: [
    { name: 'industry', width: 150 },
    { name: 'website', minWindowWidth: 1024 },
    { name: 'phone', width: 172, hasFixedWidth: true },
    { name: 'email', minWindowWidth: 1200 },
    { name: 'employees_count', align: 'right', width: 112, hasFixedWidth: true },
    { name: 'tags', width: 180, isHiddenByDefault: true },
    { name: 'created_at', width: 120, isHiddenByDefault: true },
  ],
  menuLinks: createMenuLinks,
  searchedFields: 'name, industry, website, email or phone',
  emptyList: {
    title: 'The businesses you work with',
    text: 'Customers, suppliers, partners. A company brings its people and its deals together in one place.',
    illustrationShapes: <path d="M112 92V66h22v26M118 73h3M126 73h3M118 80h3M126 80h3M120 92v-5h6v5M16 96V82h24v14M22 88h12" />,
  },
})
