import * as z from 'zod/mini'
import { companyRoutes, CompanyFields, emptyCompany, type Company } from '#contract/companies.ts'
import { callForChange } from '#web/lib/client.ts'
import { FieldValues, valuesIn } from '#web/records/form/fields.ts'
import { announceSaved } from '#web/records/form/saving.ts'
import { telling } from '#web/records/panel/telling.ts'
import { typedNumber } from '#web/records/form/typedFields.ts'
import type { FormKind } from '#web/records/form/useRecordEditor.ts'
import { companiesTable } from './queries.ts'

/** What each field is called, in the order of the form. */
export const companyLabels: Record<keyof CompanyFields, string> = {
  name: 'Name',
  industry: 'Industry',
  website: 'Website',
  phone: 'Phone',
  email: 'Email',
  employees_count: 'Employees',
  tags: 'Tags',
}

/** People leave out what every address begins with. */
const typedWebsite = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text: string) => (/^[^\s:/]+\.[^\s:]+$/.test(text.trim()) ? `https://${text.trim()}` : text)),
  ),
  CompanyFields.shape.website,
)

const Typed = z.extend(CompanyFields, {
  website: typedWebsite,
  employees_count: typedNumber(CompanyFields.shape.employees_count, 'whole'),
})
const Some = z.partial(Typed)
const New = z.extend(Some, { name: CompanyFields.shape.name })

/** What the editor must know of companies. */
export const companyKind: FormKind<Company> = {
  name: 'company',
  labels: companyLabels,
  values: FieldValues,
  accepts: Typed,
  valuesOf: (company) => valuesIn(company ?? emptyCompany, companyLabels),
  save: async (company, changes, version) => {
    const { answer, change } = company
      ? await callForChange(companyRoutes.update, { params: { id: company.id }, body: { ...Some.parse(changes), version } })
      : await callForChange(companyRoutes.create, { body: New.parse(changes) })
    void announceSaved(answer, { noun: 'company', table: companiesTable, how: company ? 'updated' : 'created', change })
    return answer
  },
}

/** What happened to a company, in words. */
export const tellCompany = telling({ noun: 'company', labels: companyLabels })
