import * as z from 'zod/mini'
import { companyRoutes, CompanyFields, emptyCompany, type Company } from '#contract/companies.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { formKind } from '#web/records/form/recordForm.ts'
import { telling } from '#web/records/panel/timelineText.ts'
import { typedNumber } from '#web/records/form/typedFields.ts'

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
export const companyKind = formKind<Company>({
  kind: recordKinds.company,
  labels: companyLabels,
  empty: emptyCompany,
  accepts: Typed,
  create: (changes) => callForChange(companyRoutes.create, { body: New.parse(changes) }),
  update: (id, changes, version) => callForChange(companyRoutes.update, { params: { id }, body: { ...Some.parse(changes), version } }),
})

/** What happened to a company, in words. */
export const tellCompany = telling({ noun: 'company', labels: companyLabels })
