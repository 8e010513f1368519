import { companyRoutes } from '#contract/companies.ts'
import { call, callForChange } from '#web/lib/client.ts'
import type { LinkSource } from '#web/lib/features.ts'
import { announceSaved } from '#web/records/form/recordForm.ts'
import { createLinkSource } from '#web/records/links/createLinkSource.ts'
import { companyKind } from './companyKind.tsx'
import { offerContacts } from './linkContacts.ts'

const { singular, table, titleOf, detailOf } = companyKind

/** Finds companies for link fields. A link field can also add a company by its name. */
export const companyLinkSource: LinkSource = {
  ...createLinkSource(companyKind),
  byTitle: {
    find: async (name, signal) => {
      const filter = JSON.stringify([{ field: 'name', is: [name] }])
      const { rows } = await call(companyRoutes.list, { query: { filter } }, { signal })
      return rows.map((company) => ({ id: company.id, title: titleOf(company), detail: detailOf(company) }))
    },
    add: async (name) => {
      const { response, changeId } = await callForChange(companyRoutes.create, { body: { name } })
      void announceSaved(response, { singular, table, outcome: 'created', changeId })
      void offerContacts(response)
      return { id: response.id, title: response.name, detail: response.industry }
    },
  },
}
