import * as z from 'zod/mini'
import { DealFields, dealFilters, dealRoutes, emptyDeal } from '#contract/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { formatMoney } from '#web/lib/format.ts'
import { numberFromText } from '#web/records/form/textSchemas.ts'
import { dateFromText } from '#web/records/form/typedDay.ts'
import { defineKind, linkFromText } from '#web/records/kind/kind.ts'
import { createLinkSource } from '#web/records/links/createLinkSource.ts'
import { TextCell } from '#web/records/list/cells.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { CloseDay, StageBadge } from './DealBadges.tsx'
import { stageChoices, stageLabels } from './stages.ts'

const { shape } = DealFields

export const dealKind = defineKind({
  ...recordKinds.deal,
  path: '/crm/deals',
  opensOverList: true,
  relatedTables: ['crm_contacts', 'companies'],
  routes: dealRoutes,
  titleOf: ({ title }) => title,
  detailOf: ({ company_name }) => company_name,
  blank: emptyDeal,
  fields: {
    title: { label: 'Title', required: true },
    stage: { label: 'Stage', choices: stageChoices, required: true },
    value: { label: 'Value', format: (value) => formatMoney(Number(value)) },
    probability: { label: 'Probability', format: (value) => `${Number(value)}%` },
    expected_close_date: { label: 'Close date' },
    contact_id: { label: 'Contact', linksTo: 'contact' },
    company_id: { label: 'Company', linksTo: 'company' },
    tags: { label: 'Tags' },
    description: { label: 'Description', isLong: true },
  },
  input: z.extend(DealFields, {
    value: numberFromText(shape.value),
    probability: numberFromText(shape.probability, 'whole'),
    expected_close_date: dateFromText(shape.expected_close_date),
    contact_id: linkFromText('contact'),
    company_id: linkFromText('company'),
  }),
  filters: dealFilters,
  filterFields: ['title', 'stage', 'value', 'probability', 'expected_close_date', 'contact_id', 'company_id', 'tags', 'created_at'],
  bulkFields: ['stage', 'probability', 'expected_close_date', 'contact_id', 'company_id'],
  sorts: [
    { name: 'title' },
    { name: 'value', ascending: 'smallest first', descending: 'largest first' },
    { name: 'expected_close_date', ascending: 'soonest first', descending: 'latest first' },
    { name: 'changed', label: 'Last change', ascending: 'oldest first', descending: 'newest first' },
  ],
  titleCell: {
    secondLine: ({ stage, value, company_name }) =>
      [stageLabels[stage], value !== null && formatMoney(value), company_name].filter(Boolean).join(' · '),
  },
  columns: [
    { name: 'stage', width: 124, hasFixedWidth: true, cell: ({ stage }) => <StageBadge stage={stage} /> },
    {
      name: 'value',
      width: 128, // wide enough for £123,456,789.50
      align: 'right',
      hasFixedWidth: true,
      cell: ({ value }) => value !== null && <TextCell text={formatMoney(value)} />,
    },
    { name: 'expected_close_date', width: 120, cell: (deal) => <CloseDay deal={deal} /> },
    { name: 'company_name', label: 'Company', width: 160, minWindowWidth: 1024 },
    { name: 'contact_name', label: 'Contact', width: 150, minWindowWidth: 1200 },
    { name: 'tags', width: 150, isHiddenByDefault: true },
    {
      name: 'probability',
      width: 100,
      align: 'right',
      isHiddenByDefault: true,
      cell: ({ probability }) => probability !== null && `${probability}%`,
    },
    {
      name: 'changed',
      label: 'Last change',
      width: 120,
      isHiddenByDefault: true,
      cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
    },
  ],
  searchedFields: 'title',
  emptyList: {
    title: 'No deals yet',
    text: 'A deal is something that somebody may buy from you. Follow it from the first talk to the signature.',
    illustrationShapes: <path d="M14 56h22M14 62h22v13H14zM14 80h22v13H14zM124 50h22M124 56h22v13h-22zM124 74h22v19h-22z" />,
  },
})

export const dealLinkSource = createLinkSource(dealKind)
