import * as z from 'zod/mini'
import { DealFields, dealRoutes, emptyDeal, type Deal } from '#contract/deals.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange } from '#web/lib/client.ts'
import { exactDay, money } from '#web/lib/format.ts'
import { formKind } from '#web/records/form/recordForm.ts'
import { telling } from '#web/records/panel/timelineText.ts'
import { typedDate, typedNumber } from '#web/records/form/typedFields.ts'
import { isStage, stageLabels } from './stages.ts'

/** What each field is called, in the order of the form. */
export const dealLabels: Record<keyof DealFields, string> = {
  title: 'Title',
  stage: 'Stage',
  value: 'Value',
  probability: 'Probability',
  expected_close_date: 'Close date',
  contact_id: 'Contact',
  company_id: 'Company',
  tags: 'Tags',
  description: 'Description',
}

const { shape } = DealFields
const Typed = z.extend(DealFields, {
  value: typedNumber(shape.value),
  probability: typedNumber(shape.probability, 'whole'),
  expected_close_date: typedDate(shape.expected_close_date),
})
const Some = z.partial(Typed)
const New = z.extend(Some, { title: shape.title })

/** What the editor must know of deals. */
export const dealKind = formKind<Deal>({
  kind: recordKinds.deal,
  labels: dealLabels,
  empty: emptyDeal,
  accepts: Typed,
  create: (changes) => callForChange(dealRoutes.create, { body: New.parse(changes) }),
  update: (id, changes, version) => callForChange(dealRoutes.update, { params: { id }, body: { ...Some.parse(changes), version } }),
})

/** What happened to a deal, in words. */
export const tellDeal = telling({
  noun: 'deal',
  labels: dealLabels,
  hidden: ['contact_id', 'company_id', 'description'],
  words: (name, value) => {
    if (name === 'stage' && isStage(value)) return stageLabels[value]
    if (name === 'value') return money(Number(value))
    if (name === 'probability') return `${Number(value)}%`
    return name === 'expected_close_date' && typeof value === 'string' ? exactDay(value) : undefined
  },
})
