// Responses and helpers for the tests of the dashboard.
import { screen, within } from '@testing-library/react'
import type { RecentChange } from '#contract/changes.ts'
import type { Dashboard } from '#contract/dashboard.ts'
import type { StorageUse } from '#contract/storage.ts'
import { getToday } from '#web/lib/format.ts'
import { nora, mockServer } from '#web/testing.ts'

/** A task that is overdue. */
export const task: Dashboard['tasks']['rows'][number] = {
  id: '01930000-0000-7000-8000-0000000000a3',
  title: 'Send the drawings',
  status: 'pending',
  priority: 'medium',
  due_date: '2026-01-02',
  contact_id: null,
  contact_name: '',
  deal_id: '01930000-0000-7000-8000-0000000000a2',
  deal_title: 'Waiting room',
  completed_at: null,
  created_at: '2026-01-01T09:00:00.000Z',
  version: 1,
}

/** The dashboard of a workspace with records. */
export const filledDashboard: Dashboard = {
  empty: false,
  first_steps_done: ['contact', 'company', 'deal', 'task', 'region'],
  tasks: { rows: [task], due: 4, overdue: 3 },
  bookings: {
    rows: [
      {
        id: '01930000-0000-7000-8000-0000000000c1',
        title: 'Site visit',
        name: 'Imara Vantongeren',
        color: '#3B82F6',
        local_start: `${getToday()}T14:00`,
      },
    ],
    today: 1,
    upcoming: 12,
  },
  pipeline: [
    { stage: 'lead', count: 4, value: 32_850, forecast: 3285 },
    { stage: 'qualified', count: 4, value: 64_700, forecast: 16_175 },
    { stage: 'proposal', count: 4, value: 78_350, forecast: 39_175 },
    { stage: 'negotiation', count: 2, value: 79_600, forecast: 59_700 },
  ],
  new_contacts: [
    { monday: '2026-11-09', sources: { Web: 2 }, others: 0 },
    { monday: '2026-11-16', sources: { Web: 13, 'Partner Referral': 5, '': 2 }, others: 0 }, // '' stands for contacts without a lead source
  ],
}

/** The dashboard of a workspace without records. */
export const emptyDashboard: Dashboard = {
  empty: true,
  first_steps_done: [],
  tasks: { rows: [], due: 0, overdue: 0 },
  bookings: { rows: [], today: 0, upcoming: 0 },
  pipeline: filledDashboard.pipeline.map(({ stage }) => ({ stage, count: 0, value: 0, forecast: 0 })),
  new_contacts: [{ monday: '2026-11-16', sources: {}, others: 0 }],
}

const gigabyte = 1024 ** 3
/** Files that use a third of the quota. */
export const storage: StorageUse = {
  used_bytes: 3.25 * gigabyte,
  quota_bytes: 10 * gigabyte,
  file_count: 412,
  trash_bytes: gigabyte / 4,
  upload_bytes: 0,
  groups: [
    { name: 'documents', bytes: 2 * gigabyte },
    { name: 'pictures', bytes: gigabyte },
    { name: 'media', bytes: 0 },
    { name: 'other', bytes: 0 },
  ],
  record_bytes: gigabyte / 4,
  record_quota_bytes: 2 * gigabyte,
}

/** Mocks a server with this dashboard and these recent changes. */
export const mockServerWith = (dashboard: Dashboard, ...recent: RecentChange[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/dashboard': dashboard,
    'GET /api/changes/recent': { rows: recent },
    'GET /api/storage': storage,
  })

/** Finds the content of a tile by its title. */
export const findTile = async (name: string) => within(await screen.findByRole('region', { name }))
