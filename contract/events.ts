import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/** One message of the stream: a committed change and the tables whose rows it wrote. */
export const ChangeEvent = z.object({ change: z.uuid(), tables: z.array(z.string()) })
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
