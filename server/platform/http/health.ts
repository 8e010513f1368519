import type pg from 'pg'
import { healthRoutes } from '#contract/health.ts'
import { mount, type Door } from './mount.ts'
import { openApi } from './openapi.ts'

const ok = { ok: true } as const

/** For those who watch over the process, and for programs that want to know the API. */
export function mountHealth(door: Door, pool: pg.Pool, address: string): void {
  mount(door, healthRoutes, {
    health: async () => ok,
    ready: async () => {
      await pool.query('select 1')
      return ok
    },
    openApi: async () => openApi(door.mounted, address),
  })
}
