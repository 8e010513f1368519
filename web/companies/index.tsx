// Companies: the businesses that people work for, as a list, a panel for each over it, and the dialog that adds and edits them.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { IconBuilding } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature, signedIn } from '#web/lib/routes.ts'
import { readListAddress } from '#web/records/list/listSearch.ts'
import { readPanel } from '#web/records/panel/panelSearch.ts'
import { typedInAddress } from '#web/records/form/prefilled.ts'

const list = createRoute({
  getParentRoute: () => signedIn,
  path: '/crm/companies',
  validateSearch: readListAddress,
  component: lazyRouteComponent(() => import('./CompaniesPage.tsx'), 'CompaniesPage'),
})

const add = createRoute({
  getParentRoute: () => list,
  path: 'new',
  validateSearch: ({ name }: Record<string, unknown>): { name?: string | undefined } => ({ name: typedInAddress(name) }),
  component: lazyRouteComponent(() => import('./CompanyDialog.tsx'), 'AddCompanyDialog'),
})

const show = createRoute({
  getParentRoute: () => list,
  path: '$id',
  validateSearch: readPanel,
  component: lazyRouteComponent(() => import('./CompanyPanel.tsx'), 'CompanyPanel'),
})

const edit = createRoute({
  getParentRoute: () => show,
  path: 'edit',
  component: lazyRouteComponent(() => import('./CompanyDialog.tsx'), 'EditCompanyDialog'),
})

export const companies = defineFeature({
  signedIn: [list.addChildren([add, show.addChildren([edit])])],
  sidebar: {
    label: 'Companies',
    to: '/crm/companies',
    icon: IconBuilding,
    group: { label: 'CRM', prefix: '/crm' },
    keys: 'g-o',
    searchable: true,
  },
  records: [{ ...recordKinds.company, icon: IconBuilding, shape: 'square', addressOf: ({ id }) => `/crm/companies/${id}` }],
  actions: [{ label: 'Add company', to: '/crm/companies/new', icon: IconBuilding, takes: 'name' }],
})
