import { NewInstant } from './newInstant.ts'
import * as z from 'zod/mini'
import { scopes, type Scope } from './actors.ts'
import { exampleId } from './examples.ts'
import { Instant, singleLineText, visibleText } from './fields.ts'
import { defineRoutes } from './route.ts'

/** The maximum number of keys of an owner. */
export const maxApiKeys = 100

/** What a key with each scope may do, in the words that screens show. */
export const scopeTexts: Readonly<Record<Scope, { label: string; description: string }>> = {
  leads: { label: 'Send leads', description: 'Add contacts with the leads function, and nothing else.' },
  read: { label: 'Read', description: 'Read contacts, deals, files and everything else in your workspace.' },
  write: { label: 'Write', description: 'Make changes that you can undo: add, edit and delete records, and send leads.' },
}

/** A key with which other programs call the API. Only its hash is stored, so the key itself cannot be shown again. */
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first 12 characters of the key. */
  key_prefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** False after the key has expired. */
  is_active: z.boolean(),
  created_at: Instant,
  /** The real last use is at most a minute later. Null before the first use. */
  last_used_at: z.nullable(Instant),
  /** When the key stops working; null for a key that works until it is deleted. */
  expires_at: z.nullable(Instant),
})
export type ApiKey = z.infer<typeof ApiKey>

const ApiKeyName = singleLineText(100).check(...visibleText('Please enter a name for the API key'))

export const NewApiKey = z.strictObject({
  name: ApiKeyName,
  scopes: z._default(z.array(z.enum(scopes)).check(z.minLength(1, 'Choose what the key may do'), z.maxLength(scopes.length)), ['leads']),
  expires_at: z._default(z.nullable(NewInstant), null),
})
export type NewApiKey = z.output<typeof NewApiKey>

const path = '/api/api-keys'

export const apiKeyRoutes = defineRoutes({
  list: {
    method: 'GET',
    path,
    summary: 'The API keys, newest first',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: z.object({ rows: z.array(ApiKey) }),
    example: {},
  },
  create: {
    method: 'POST',
    path,
    summary: 'Create an API key. The response is the only one that contains the key',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'A key is shown only once, so it can only be deleted.' },
    body: NewApiKey,
    out: z.object({ ...ApiKey.shape, key: z.string() }),
    status: 201,
    maxRequestsIn15Minutes: { perIdentity: 100 },
    example: { body: { name: 'Website', scopes: ['leads'] } },
  },
  delete: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an API key permanently. It stops working at once',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'A key that was deleted may be known to others, so it never works again.' },
    params: z.strictObject({ id: z.uuid() }),
    example: { params: { id: exampleId('apiKey') } },
  },
})
