// Deals: possible sales, as a board of stages or a list, with a panel and a dialog for each deal.
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconTargetArrow } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'
import { parseListParameters, type ListParameters } from '#web/records/address/listSettings.ts'
import { recordRoutes } from '#web/records/address/recordRoutes.ts'
import { parseNewDeal } from './newDeal.ts'
import { isStage, stageLabels } from './kind/stages.ts'
import { dealsEntry } from './sidebar.ts'

const dealRoutes = recordRoutes('/crm/deals', {
  /** With `as=list` in the URL, the page shows a list, otherwise a board. */
  parseList: (parameters): ListParameters & { as?: 'list' | undefined } => ({
    ...parseListParameters(parameters),
    ...(parameters['as'] === 'list' && { as: 'list' }),
  }),
  parseNew: parseNewDeal,
  screens: {
    list: lazyRouteComponent(() => import('./DealsPage.tsx'), 'DealsPage'),
    add: lazyRouteComponent(() => import('./DealDialog.tsx'), 'AddDealDialog'),
    show: lazyRouteComponent(() => import('./DealPanel.tsx'), 'DealPanel'),
    edit: lazyRouteComponent(() => import('./DealDialog.tsx'), 'EditDealDialog'),
  },
})

export const deals = defineFeature({
  signedInRoutes: [dealRoutes],
  sidebar: dealsEntry,
  records: [
    {
      ...recordKinds.deal,
      icon: IconTargetArrow,
      addressOf: ({ id }) => `/crm/deals/${id}`,
      linkFieldSource: () => import('./kind/dealKind.tsx').then(({ dealLinkSource }) => dealLinkSource),
      loadFields: () => import('./DealDialog.tsx').then(({ dealFields }) => dealFields),
      describeChange: ({ name, after }) => (name === 'stage' && isStage(after) ? `moved to ${stageLabels[after]}` : undefined),
    },
  ],
  firstSteps: [
    {
      name: 'deal',
      icon: IconTargetArrow,
      title: 'Put your first deal on the board',
      text: 'Something that somebody may buy, from the first talk to the signature.',
      buttonLabel: 'Add deal',
      address: '/crm/deals/new',
    },
  ],
  contactTab: {
    name: 'deals',
    label: 'Deals',
    position: 4,
    Tab: lazyRouteComponent(() => import('./DealsTab.tsx'), 'DealsTab'),
    Count: lazyRouteComponent(() => import('./DealsTab.tsx'), 'DealsCount'),
  },
  actions: [
    {
      label: 'Add deal',
      address: '/crm/deals/new',
      icon: IconTargetArrow,
      paletteTextParameter: 'title', // the URL parameter that gets the text typed into the command palette
      keywords: 'new deal create opportunity sale',
    },
    { label: 'Deals as a list', address: '/crm/deals?as=list', icon: IconTargetArrow, isPage: true, keywords: 'table' },
  ],
})
