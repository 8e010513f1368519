import type pg from 'pg'
import { healthRoutes } from '#contract/health.ts'
import { mount, type Router } from './mount.ts'
import { openApi } from './openapi.ts'

const ok = { ok: true } as const

/** Mounts the health checks for monitoring, and the OpenAPI document. */
export function mountHealth(router: Router, pool: pg.Pool, address: string): void {
  mount(router, healthRoutes, {
    health: async () => ok,
    ready: async () => {
      await pool.query('select 1')
      return ok
    },
    openApi: async () => openApi(router.routes, address),
  })
}
