import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/** A message of the event stream: the id of a committed change and the tables whose rows it changed. */
export const ChangeEvent = z.object({ change: z.uuid(), tables: z.array(z.string()) })
export type ChangeEvent = z.infer<typeof ChangeEvent>

export const eventRoutes = defineRoutes({
  events: {
    method: 'GET',
    path: '/api/events',
    summary: 'Stream of the committed changes of the workspace',
    caller: 'user',
    changes: 'nothing',
    events: ChangeEvent,
    example: {},
  },
})
