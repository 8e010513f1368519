// Companies: the businesses that contacts work for, with a list, a panel for each company, and a dialog that adds and edits.
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconBuilding } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'
import { parseListParameters } from '#web/records/address/listSettings.ts'
import { recordRoutes } from '#web/records/address/recordRoutes.ts'
import { parseText } from '#web/records/address/newRecord.ts'
import { companiesEntry } from './sidebar.ts'

const screens = recordRoutes('/crm/companies', {
  parseList: parseListParameters,
  parseNew: ({ name }): { name?: string | undefined } => ({ name: parseText(name) }),
  screens: {
    list: lazyRouteComponent(() => import('./CompaniesPage.tsx'), 'CompaniesPage'),
    add: lazyRouteComponent(() => import('./CompanyDialog.tsx'), 'AddCompanyDialog'),
    show: lazyRouteComponent(() => import('./CompanyPanel.tsx'), 'CompanyPanel'),
    edit: lazyRouteComponent(() => import('./CompanyDialog.tsx'), 'EditCompanyDialog'),
  },
})

export const companies = defineFeature({
  signedInRoutes: [screens],
  sidebar: companiesEntry,
  records: [
    {
      ...recordKinds.company,
      icon: IconBuilding,
      shape: 'square',
      addressOf: ({ id }) => `/crm/companies/${id}`,
      linkFieldSource: () => import('./companyLinkSource.ts').then(({ companyLinkSource }) => companyLinkSource),
      loadFields: () => import('./CompanyDialog.tsx').then(({ companyFields }) => companyFields),
    },
  ],
  firstSteps: [
    {
      name: 'company',
      icon: IconBuilding,
      title: 'Add your first company',
      text: 'A business that your contacts work for.',
      buttonLabel: 'Add company',
      address: '/crm/companies/new',
    },
  ],
  actions: [
    {
      label: 'Add company',
      address: '/crm/companies/new',
      icon: IconBuilding,
      paletteTextParameter: 'name', // the URL parameter that gets the text typed into the command palette
      keywords: 'new company create business organisation',
    },
  ],
})
