import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/** One message of the stream: ids of the rows that one change wrote, by table; null for a table with too many. */
export const ChangeEvent = z.object({ tables: z.record(z.string(), z.nullable(z.array(z.uuid()))) })
export type ChangeEvent = z.infer<typeof ChangeEvent>

export const eventRoutes = defineRoutes({
  events: {
    method: 'GET',
    path: '/api/events',
    summary: 'Changes of the workspace, as they are committed',
    caller: 'user',
    changes: 'nothing',
    events: ChangeEvent,
    example: {},
  },
})
