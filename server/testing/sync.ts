// For tests of the sync with another CRM.
import { expect } from 'vitest'
import type { Contact } from '#contract/contacts.ts'
import type { CrmConnection, CrmSync } from '#contract/crmConnections.ts'
import { setCrmPauses } from '#server/sync/client.ts'
import type { InsightlyServer } from './insightly-server.ts'
import type { TestApp } from './app.ts'
import type { Person } from './people.ts'

setCrmPauses({ request: 0, retry: 1 })

/** Connects the stand-in. Returns the connection. */
export async function connectCrm(person: Person, { url, key }: Pick<InsightlyServer, 'url' | 'key'>): Promise<CrmConnection> {
  const response = await person.send({ method: 'POST', url: '/api/crm-connections', payload: { api_url: url, api_key: key } })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

export async function startSync(person: Person, connectionId: string, full = false): Promise<CrmSync> {
  const response = await person.send({ method: 'POST', url: '/functions/v1/sync-crm', payload: { connectionId, full } })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

export async function readLastSync(person: Person, connectionId: string): Promise<CrmSync> {
  const response = await person.send({ url: `/api/crm-connections/${connectionId}` })
  return response.json().last_sync
}

/** Starts a sync and waits for its end. */
export async function syncCrm(person: Person, connectionId: string, full = false): Promise<CrmSync> {
  await startSync(person, connectionId, full)
  return waitForEnd(person, connectionId)
}

export async function waitForEnd(person: Person, connectionId: string): Promise<CrmSync> {
  await expect.poll(async () => (await readLastSync(person, connectionId)).finished_at, { timeout: 20_000, interval: 20 }).not.toBeNull()
  return readLastSync(person, connectionId)
}

type SyncedContact = Partial<Contact> & { isLinked: boolean }

/** Returns the contacts of the owner in the order of their ids in the other CRM, without what differs between two equal runs. */
export async function readContacts({ tableOwner }: Pick<TestApp, 'tableOwner'>, { id }: Person): Promise<SyncedContact[]> {
  const { rows } = await tableOwner.query<SyncedContact>(
    `select external_id, first_name, last_name, email, phone, mobile_phone, company, title, mailing_city, description, tags, raw_data,
       crm_connection_id is not null as "isLinked" from crm_contacts where user_id = $1 order by external_id, email`,
    [id],
  )
  return rows
}
