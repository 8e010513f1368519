// A proposal for the tests of its card.
import type { Proposal, ProposalItem } from '#contract/proposals.ts'
import { quietDeals } from '../testing.ts'

/** The change that applies the proposal. */
export const changeId = '01930000-0000-7000-8000-0000000000e9'
const proposalId = '01930000-0000-7000-8000-0000000000e1'
export const dealId = '01930000-0000-7000-8000-0000000000e2'
export const contactId = '01930000-0000-7000-8000-0000000000e3'
const companyId = '01930000-0000-7000-8000-0000000000e4'

export const counterDeal: ProposalItem = {
  key: 'c1',
  action: 'update',
  kind: 'deal',
  id: dealId,
  version: 3,
  title: 'Coffee counter, two sites',
  fields: { stage: 'negotiation', value: 19_850, expected_close_date: '2026-12-18', company_id: companyId },
  before: { stage: 'proposal', value: 21_600, expected_close_date: '2026-12-09', company_id: null },
  link_titles: { [companyId]: 'Gristmill Ltd' },
  decision: 'open',
}
export const rosamund: ProposalItem = {
  ...counterDeal,
  key: 'c2',
  kind: 'contact',
  id: contactId,
  title: 'Rosamund Dunmarrow',
  fields: { mobile_phone: '+44 7700 900 148' },
  before: { mobile_phone: '' },
}
export const newTask: ProposalItem = {
  ...counterDeal,
  key: 'c3',
  action: 'create',
  kind: 'task',
  id: null,
  version: null,
  title: 'Measure both sites',
  fields: { title: 'Measure both sites', due_date: '2026-11-23', deal_id: dealId },
  before: {},
  link_titles: { [dealId]: counterDeal.title },
}
/** Two changes and a new record. */
export const proposal: Proposal = {
  id: proposalId,
  conversation_id: quietDeals.id,
  created_at: '2026-11-20T09:00:00.000Z',
  state: 'open',
  items: [counterDeal, rosamund, newTask],
  change_id: null,
}
/** The applied change in the history. */
export const change = {
  id: changeId,
  at: '2026-11-20T09:01:00.000Z',
  actor: 'assistant',
  actor_name: null,
  label: 'Applied 3 changes of the assistant',
  count: 3,
  undone: false,
  redo_id: null,
  progress: null,
  skipped_counts: {},
  skipped: [],
}
