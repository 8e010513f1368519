import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { recordKinds } from './kinds.ts'
import { conditionsParameter, SearchText, type Filters } from './lists.ts'
import { multilineText, RecordDay, requiredText, removeInputChecks, Tags } from './fields.ts'
import { systemFields, NewRecordId, recordRoutes, tagRoutes, Version } from './records.ts'
import { defineRoutes } from './route.ts'
import { stages } from './stages.ts'
import { sumRoutes } from './sums.ts'

/** The columns of an export, in their order. */
export const dealColumns = [
  'title',
  'stage',
  'value',
  'probability',
  'expected_close_date',
  'contact_name',
  'company_name',
  'tags',
  'description',
  'created_at',
] as const

/** `changed` sorts by `updated_at`. */
const dealSorts = ['newest', 'title', 'value', 'expected_close_date', 'changed'] as const

export const dealFilters = {
  title: 'text',
  stage: 'choice',
  value: 'number',
  probability: 'number',
  expected_close_date: 'date',
  contact_id: 'link',
  company_id: 'link',
  tags: 'tags',
  created_at: 'instant',
} as const satisfies Filters

const maxValue = 999_999_999_999.99

const fields = {
  title: requiredText('title', 200),
  description: multilineText,
  /** In the currency of the owner's profile. */
  value: z.nullable(
    z.number().check(
      z.gte(0, 'At least 0'),
      z.lte(maxValue, 'This is too much'),
      z.refine((value) => Math.round(value * 100) / 100 === value, 'At most two decimals'),
    ),
  ),
  stage: z.enum(stages),
  /** In percent; null: the default probability of the stage. */
  probability: z.nullable(z.int().check(z.gte(0, 'At least 0'), z.lte(100, 'At most 100'))),
  expected_close_date: z.nullable(RecordDay),
  contact_id: z.nullable(z.uuid()),
  company_id: z.nullable(z.uuid()),
  tags: Tags,
}

/** The fields of the form. */
export const DealFields = z.strictObject(fields)
export type DealFields = z.output<typeof DealFields>

export const emptyDeal: DealFields = {
  title: '',
  description: '',
  value: null,
  stage: 'lead',
  probability: null,
  expected_close_date: null,
  contact_id: null,
  company_id: null,
  tags: [],
}

/** The names of the linked contact and company; empty if there is no link. */
const linkedNames = { contact_name: z.string(), company_name: z.string() }

export const Deal = z.object({ ...systemFields, ...removeInputChecks(fields), ...linkedNames })
export type Deal = z.infer<typeof Deal>

/** A deal in a list and on the board. */
export const DealRow = z.omit(Deal, { description: true })
export type DealRow = z.infer<typeof DealRow>

/** The number of deals in a stage, the sum of their values, and the sum of their values weighted by probability. */
export const StageTotal = z.object({ stage: z.enum(stages), count: z.int(), value: z.number(), forecast: z.number() })
export type StageTotal = z.infer<typeof StageTotal>

const optionalFields = z.partial(DealFields)

/** A new deal. Omitted fields are empty; the default stage is lead. */
export const NewDeal = z.extend(optionalFields, { title: fields.title, id: NewRecordId })
export type NewDeal = z.output<typeof NewDeal>

/** The changed fields, and the version that the edit started from; without the version the edit overwrites newer changes. */
export const DealPatch = z.extend(optionalFields, { version: Version })
export type DealPatch = z.output<typeof DealPatch>

const path = '/api/deals'

export const dealRoutes = {
  ...recordRoutes({
    kind: recordKinds.deal,
    FullRecord: Deal,
    Row: DealRow,
    New: NewDeal,
    Patch: DealPatch,
    BulkPatch: z.pick(optionalFields, { stage: true, probability: true, expected_close_date: true, company_id: true, contact_id: true }),
    sorts: dealSorts,
    filters: dealFilters,
    columns: dealColumns,
    example: {
      query: { search: 'engine', sort: 'value', limit: '10', filter: '[{"field":"stage","is":["lead"]}]' },
      new: { title: 'Second engine', value: 18_500, contact_id: exampleId('contact'), company_id: exampleId('company') },
      patch: { stage: 'proposal', value: 26_400.5 },
      bulkPatch: { stage: 'negotiation' },
    },
  }),
  ...tagRoutes(recordKinds.deal, dealFilters),
  ...sumRoutes(recordKinds.deal, dealFilters, 'value'),
  ...defineRoutes({
    totals: {
      method: 'GET',
      path: `${path}/totals`,
      summary: 'The number, value and forecast of the deals of each stage',
      caller: 'user',
      changes: 'nothing',
      query: z.strictObject({ search: SearchText, filter: z._default(conditionsParameter(dealFilters), []) }),
      out: z.object({ stages: z.array(StageTotal) }),
      example: { query: { search: 'engine' } },
    },
  }),
}
