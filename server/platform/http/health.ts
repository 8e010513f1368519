import type pg from 'pg'
import { healthRoutes } from '#contract/health.ts'
import type { DiskWatch } from '#server/platform/database/disk-watch.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { mount, type Router } from './mount.ts'
import { openApi } from './openapi.ts'

const ok = { ok: true } as const

type Options = { pool: pg.Pool; disk: Pick<DiskWatch, 'isFull'>; address: string }

/** Mounts the health checks for monitoring, and the OpenAPI document. */
export function mountHealth(router: Router, { pool, disk, address }: Options): void {
  mount(router, healthRoutes, {
    health: async () => ok,
    ready: async () => {
      if (disk.isFull()) throw new Refusal('disk_full')
      await pool.query('select 1')
      return ok
    },
    openApi: async () => openApi(router.routes, address),
  })
}
