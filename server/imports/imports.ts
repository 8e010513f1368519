// Imports: files with contacts, companies, deals or tasks, whose rows become records.
import { importFunctionRoutes, importRoutes } from '#contract/imports.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { deleteExpiredImports, deleteOldReportRows, endAbandonedImports } from './cleaning.store.ts'
import { toDetails } from './details.ts'
import { openFailedRows } from './failed-rows.ts'
import { readImport, readImports, readReasons, readRows, readSummary } from './imports.store.ts'
import { importText } from './import-text.ts'
import { createImportJobHandler } from './job/run-import.ts'
import { askAiAboutColumns } from './suggestions/ask-ai.ts'
import { deleteImport, startImport, stopImport } from './start.ts'
import { changeImport, uploadImport } from './upload.ts'

/** For features that receive contacts with a full name. */
export { splitFullName } from './mapping/full-name.ts'

/** The columns that say what was imported. The others are needed only to import the file. */
const summaryColumnNames = [
  'id',
  'created_at',
  'kind',
  'file_name',
  'file_size',
  'status',
  'mode',
  'created_count',
  'updated_count',
  'skipped_count',
  'failed_count',
  'with_remarks_count',
  'problem',
  'started_at',
  'finished_at',
]

const daySeconds = 24 * 60 * 60

export const importFeature: Feature = {
  mount: (router, context) => {
    const { database } = context
    mount(router, importRoutes, {
      list: ({ caller, query }) => database.read(caller, () => readImports(caller.owner, query)),
      get: async ({ caller, params }) => toDetails(await database.read(caller, () => readImport(caller.owner, params.id))),
      upload: ({ caller, query, body, signal }) => uploadImport(context, caller, { ...query, body, signal }),
      change: ({ caller, params, body, signal }) => changeImport(context, caller, params.id, body, signal),
      askAi: ({ caller, params, signal }) => askAiAboutColumns(context, caller, params.id, signal),
      start: ({ caller, params, body }) => startImport(context, caller, params.id, body),
      stop: ({ caller, params }) => stopImport(context, caller, params.id),
      rows: ({ caller, params, query }) =>
        database.read(caller, async () => {
          await readSummary(caller.owner, params.id) // throws `not_found`
          const [page, reasons] = await Promise.all([
            readRows(caller.owner, params.id, query),
            query.after === undefined ? readReasons(caller.owner, params.id, query.status) : [],
          ])
          return { ...page, reasons }
        }),
      failedRows: ({ caller, params }) => openFailedRows(database, caller, params.id),
      delete: ({ caller, params }) => deleteImport(context, caller, params.id),
    })
    mount(router, importFunctionRoutes, {
      importCrmContacts: async ({ caller, body, signal, reply }) => {
        const { isRunning, ...result } = await importText(context, caller, body, signal)
        if (isRunning) reply.code(202)
        return result
      },
    })
  },
  takeoutTables: [{ table: 'imports', name: 'imports', columns: summaryColumnNames }],
  jobs: (context, tableOwner) => [createImportJobHandler(context, tableOwner)],
  schedules: (tableOwner, now) => [
    { name: 'abandoned imports', everySeconds: 60, run: () => endAbandonedImports(tableOwner) },
    { name: 'expired imports', everySeconds: daySeconds, run: () => deleteExpiredImports(tableOwner, now()) },
    { name: 'failed and skipped rows of old imports', everySeconds: daySeconds, run: () => deleteOldReportRows(tableOwner, now()) },
  ],
}
