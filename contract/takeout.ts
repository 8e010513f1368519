import * as z from 'zod/mini'
import { Password } from './accounts.ts'
import { defineRoutes } from './route.ts'

/** The number of files in the download of everything, and their size in bytes. The zip is larger, because it also contains the records. */
export const TakeoutSize = z.object({ file_count: z.int(), file_bytes: z.int() })
export type TakeoutSize = z.infer<typeof TakeoutSize>

export const takeoutRoutes = defineRoutes({
  size: {
    method: 'GET',
    path: '/api/takeout',
    summary: 'The number and the size of the files in the download of everything',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    out: TakeoutSize,
    example: {},
  },
  prepare: {
    method: 'POST',
    path: '/api/takeout',
    summary: 'Get the address of the download of everything; requires the password',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'It only creates a link, which expires.' },
    body: z.strictObject({ password: Password }),
    out: z.object({ url: z.string() }),
    errors: ['wrong_password', 'too_many_requests'],
    example: { body: { password: 'engine no. 1' } },
  },
  download: {
    method: 'GET',
    path: '/api/takeout/{token}',
    summary: 'A zip of all records and files, by an address that works for a minute and only for its owner',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'nothing',
    params: z.strictObject({ token: z.string() }),
    file: 'application/zip',
    errors: ['link_expired', 'too_many_requests', 'storage_full'],
    example: { params: { token: 'a-token' } },
  },
})
