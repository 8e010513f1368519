import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { Instant } from './fields.ts'
import { defineRoutes } from './route.ts'

/** The CRMs that Foyer can read. */
const crmTypes = ['insightly'] as const
export type CrmType = (typeof crmTypes)[number]

/** The API URL of new connections, unless the user enters another one. */
export const defaultApiUrl = 'https://api.insightly.com/v3.1'

/** The maximum number of connections of an owner. */
export const maxConnections = 10

const ApiUrl = z.string().check(
  z.trim(),
  z.minLength(1, 'Enter the API URL'),
  z.maxLength(500, 'At most 500 characters'),
  z.url({ protocol: /^https?$/, error: `Enter an address like ${defaultApiUrl}` }),
  // the address is shown on screens, so it must not contain a password or a key
  z.regex(/^[^@?#]*$/, 'Enter the address without a password, ? or #'),
)
const ApiKey = z.string().check(
  z.trim(),
  z.minLength(1, 'Enter the API key'),
  z.maxLength(500, 'At most 500 characters'),
  // a key has only these characters; other characters may be copied together with a key from a formatted text
  z.regex(/^[\x21-\x7e]*$/, 'Enter the key without spaces or special characters'),
)

/**
 * A run of a sync. `waiting`: the other CRM does not answer or asks to wait, so the run continues later. `stopped`: by the user. `undone`:
 * its change is undone. The counts are stored together with the contacts, so they are right also for a run that is not `done`.
 */
export const CrmSync = z.object({
  id: z.uuid(),
  status: z.enum(['running', 'waiting', 'done', 'failed', 'stopped', 'undone']),
  /** `full`: all contacts; `changes`: those that were added or changed in the other CRM since the last sync. */
  scope: z.enum(['full', 'changes']),
  started_at: Instant,
  finished_at: z.nullable(Instant),
  /** The change in the history, with which the sync can be undone. */
  change: z.uuid(),
  /** The numbers of contacts. `skipped`: not stored, because the same contact here is linked to another contact of a CRM. */
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  failed: z.int(),
  /** Contacts that the other CRM no longer has; they stay here. Only a full sync finds them. */
  missing: z.int(),
  /** Why it waits or has failed. */
  problem: z.nullable(z.string()),
  /** The first contacts that could not be stored or were skipped, with the reason. */
  reasons: z.array(z.object({ external_id: z.string(), name: z.string(), reason: z.string() })),
  /** The first of the missing contacts that still exist here. */
  missing_contacts: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
export type CrmSync = z.infer<typeof CrmSync>

/** A connection to another CRM. Its key is never sent back. */
export const CrmConnection = z.object({
  id: z.uuid(),
  crm_type: z.enum(crmTypes),
  api_url: z.string(),
  /** `lost`: the key cannot be decrypted, because the key of the installation was replaced. It must be entered again. */
  key_state: z.enum(['stored', 'lost']),
  /** The last four characters of the key; empty if the key is short. */
  key_end: z.string(),
  created_at: Instant,
  /** When the last sync was complete; null before the first one. */
  last_synced_at: z.nullable(Instant),
  /** The number of contacts that come from this connection. */
  contacts: z.int(),
  /** The newest sync. */
  last_sync: z.nullable(CrmSync),
})
export type CrmConnection = z.infer<typeof CrmConnection>

export const NewCrmConnection = z.strictObject({
  crm_type: z._default(z.enum(crmTypes), 'insightly'),
  api_url: z._default(ApiUrl, defaultApiUrl),
  api_key: ApiKey,
  /** False: adds the connection without asking the other CRM whether address and key are right. */
  check: z._default(z.boolean(), true),
})
export type NewCrmConnection = z.output<typeof NewCrmConnection>

const Id = z.strictObject({ id: z.uuid() })
const path = '/api/crm-connections'

export const crmConnectionRoutes = defineRoutes({
  list: {
    method: 'GET',
    path,
    summary: 'The connections to other CRMs with their last sync, newest first',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: z.object({ rows: z.array(CrmConnection) }),
    example: {},
  },
  create: {
    method: 'POST',
    path,
    summary: 'Connect another CRM. The address and the key are tried first',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'journaled',
    body: NewCrmConnection,
    out: CrmConnection,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    maxRequestsIn15Minutes: { perIdentity: 60 },
    errors: ['duplicate'],
    example: { body: { api_url: 'https://crm.example/v3.1', api_key: 'a-key-of-the-example', check: false } },
  },
  get: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'A connection to another CRM with its last sync',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    params: Id,
    out: CrmConnection,
    example: { params: { id: exampleId('crmConnection') } },
  },
  replaceKey: {
    method: 'PUT',
    path: `${path}/{id}/key`,
    summary: 'Replace the key of a connection. The new one is tried first',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'The key is stored encrypted and only once, so an earlier key cannot come back.' },
    params: Id,
    body: z.strictObject({ api_key: ApiKey, check: z._default(z.boolean(), true) }),
    out: CrmConnection,
    maxRequestsIn15Minutes: { perIdentity: 60 },
    example: { params: { id: exampleId('crmConnection') }, body: { api_key: 'another-key-of-the-example', check: false } },
  },
  delete: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a connection. Its contacts stay. The unlinking of very many contacts continues after the response',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'journaled',
    mayContinue: true,
    params: Id,
    example: { params: { id: exampleId('crmConnection') } },
  },
  syncs: {
    method: 'GET',
    path: `${path}/{id}/syncs`,
    summary: 'The last syncs of a connection, newest first',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    params: Id,
    out: z.object({ rows: z.array(CrmSync) }),
    example: { params: { id: exampleId('crmConnection') } },
  },
  stop: {
    method: 'POST',
    path: `${path}/{id}/stop`,
    summary: 'Stop the running sync of a connection. What it has stored stays',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'A stopped sync can be started again.' },
    params: Id,
    example: { params: { id: exampleId('crmConnection') } },
  },
})

export const syncFunctionRoutes = defineRoutes({
  sync: {
    method: 'POST',
    path: '/functions/v1/sync-crm',
    summary: 'Start to copy contacts from another CRM, or return the sync that runs already. It continues after the response',
    caller: 'user',
    changes: { noUndo: 'The request only starts a job. The contacts that the job writes are one change, which can be undone.' },
    /** `full`: all contacts, and not only those that changed since the last sync. */
    body: z.strictObject({ connectionId: z.uuid(), full: z._default(z.boolean(), false) }),
    out: CrmSync,
    maxRequestsIn15Minutes: { perIdentity: 120 },
    example: { body: { connectionId: exampleId('crmConnection') } },
  },
})
