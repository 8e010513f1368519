// Imports: files with contacts, companies, deals or tasks, whose rows become records.
import { importRoutes } from '#contract/imports.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { toDetails } from './details.ts'
import { openFailedRows } from './failed-rows.ts'
import { readImport, readImports, readRows, readSummary } from './imports.store.ts'
import { deleteImport, startImport, stopImport } from './start.ts'
import { changeImport, uploadImport } from './upload.ts'

export const importFeature: Feature = {
  mount: (router, context) => {
    const { database } = context
    mount(router, importRoutes, {
      list: ({ caller, query }) => database.read(caller, () => readImports(caller.owner, query)),
      get: async ({ caller, params }) => toDetails(await database.read(caller, () => readImport(caller.owner, params.id))),
      upload: ({ caller, query, body, signal }) => uploadImport(context, caller, { ...query, body, signal }),
      change: ({ caller, params, body }) => changeImport(context, caller, params.id, body),
      start: ({ caller, params, body }) => startImport(context, caller, params.id, body),
      stop: ({ caller, params }) => stopImport(context, caller, params.id),
      rows: ({ caller, params, query }) =>
        database.read(caller, async () => {
          await readSummary(caller.owner, params.id) // throws `not_found`
          return readRows(caller.owner, params.id, query)
        }),
      failedRows: ({ caller, params }) => openFailedRows(database, caller, params.id),
      delete: ({ caller, params }) => deleteImport(context, caller, params.id),
    })
  },
}
