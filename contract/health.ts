import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

const Ok = z.object({ ok: z.literal(true) })

export const healthRoutes = defineRoutes({
  health: {
    method: 'GET',
    path: '/health',
    summary: 'Liveness check: the process responds',
    caller: 'anyone',
    changes: 'nothing',
    out: Ok,
    example: {},
  },
  ready: {
    method: 'GET',
    path: '/ready',
    summary: 'Readiness check: the process and its database respond, and the disk of the database is not full',
    caller: 'anyone',
    changes: 'nothing',
    out: Ok,
    errors: ['not_ready', 'disk_full'],
    example: {},
  },
  openApi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description of the API',
    caller: 'anyone',
    changes: 'nothing',
    out: z.looseObject({ openapi: z.string() }),
    example: {},
  },
})
