import { vi } from 'vitest'
import { DealPatch, DealRow, type Deal } from '#contract/deals.ts'
import { stages, type Stage } from '#contract/stages.ts'
import { getToday } from '#web/lib/format.ts'
import { changeResponse, nora, problemResponse, mockServer } from '#web/testing.ts'

const makeId = (number: number): string => `01930000-0000-7000-8000-0000000002${String(number).padStart(2, '0')}`

/** Returns the date `days` days after today, or before today if `days` is negative: "2026-11-21". */
function makeDate(days: number): string {
  const date = new Date(getToday())
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

/** A deal in the stage Proposal, with all fields except its own probability. */
export const waitingRoom: Deal = {
  id: makeId(1),
  title: 'Waiting room',
  description: 'Oak veneer, matt.',
  value: 26_400,
  stage: 'proposal',
  probability: null,
  expected_close_date: makeDate(13),
  contact_id: '01930000-0000-7000-8000-000000000001',
  contact_name: 'Imara Vantongeren',
  company_id: '01930000-0000-7000-8000-0000000000a1',
  company_name: 'Quillstone Dental',
  tags: ['Oak'],
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-03T09:00:00.000Z',
  version: 3,
}

/** A deal in the stage Lead, whose close date was two days ago, without links, tags and a description. */
export const barRefit: Deal = {
  ...waitingRoom,
  id: makeId(2),
  title: 'Bar refit',
  description: '',
  value: 18_500,
  stage: 'lead',
  expected_close_date: makeDate(-2),
  contact_id: null,
  contact_name: '',
  company_id: null,
  company_name: '',
  tags: [],
}

/** A deal in the stage Lead, without a value and a close date. */
export const bikeWall: Deal = { ...barRefit, id: makeId(3), title: 'Bike display wall', value: null, expected_close_date: null }

/** Returns the stage in a filter such as `[{"field":"stage","is":["lead"]}]`. */
const findStage = (filter = ''): Stage | undefined => {
  const name = /"stage","is":\["([^"]+)"\]/.exec(filter)?.[1]
  return stages.find((stage) => stage === name)
}

/** Mocks a server that stores these deals and applies changes to them. */
export function mockServerWith(...initialDeals: Deal[]) {
  const deals = new Map(initialDeals.map((deal) => [deal.id, deal]))
  const findDeals = (stage: Stage | undefined): Deal[] => [...deals.values()].filter((deal) => stage === undefined || deal.stage === stage)
  const sumStage = (stage: Stage) => {
    const stageDeals = findDeals(stage)
    const value = stageDeals.reduce((sum, deal) => sum + (deal.value ?? 0), 0)
    return { stage, count: stageDeals.length, value, forecast: value / 2 } // as if all deals had the probability 50 %
  }
  return mockServer({
    'GET /api/session': nora,
    'GET /api/changes': { rows: [], next: null },
    'GET /api/tasks': { rows: [], next: null },
    'GET /api/views': { rows: [] },
    'GET /api/deals/tags': { tags: [] },
    'GET /api/deals/totals': () => ({ stages: stages.map(sumStage) }),
    'GET /api/deals/count': () => ({ count: deals.size, more: false }),
    'GET /api/deals': ({ query }) => ({ rows: findDeals(findStage(query['filter'])).map((deal) => DealRow.parse(deal)), next: null }),
    'GET /api/deals/{id}': ({ params }) => deals.get(params['id'] ?? '') ?? problemResponse('not_found'),
    'DELETE /api/deals/{id}': ({ params }) => {
      deals.delete(params['id'] ?? '')
      return changeResponse(changeId)
    },
    'PATCH /api/deals/{id}': ({ params, body }) => {
      const deal = deals.get(params['id'] ?? '')
      if (!deal) return problemResponse('not_found')
      const newDeal = { ...deal, ...DealPatch.parse(body), version: deal.version + 1 }
      deals.set(deal.id, newDeal)
      return changeResponse(changeId, newDeal)
    },
  })
}

/** The id that the server returns for every change. */
export const changeId = '01930000-0000-7000-8000-0000000000e1'

/** Gives every element a size. In happy-dom elements have no size, and the board renders only cards within its height. */
export function setElementSize(): void {
  for (const size of ['clientHeight', 'offsetHeight'] as const) vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(800)
  for (const size of ['clientWidth', 'offsetWidth'] as const) vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(1200)
}
