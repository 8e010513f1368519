import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/** One message of the stream: rows that one change touched, by table; null where they are too many to name. Values never travel here. */
export const ChangeEvent = z.object({ tables: z.record(z.string(), z.nullable(z.array(z.uuid()))) })
export type ChangeEvent = z.infer<typeof ChangeEvent>

export const eventRoutes = defineRoutes({
  events: {
    method: 'GET',
    path: '/api/events',
    summary: 'What changes in the workspace, as it happens',
    caller: 'user',
    changes: 'nothing',
    events: ChangeEvent,
    example: {},
  },
})
