// Views: what other rooms may know of them.
import type { NamedTable } from '#server/platform/feature.ts'

/** Views are deleted and brought back like records. */
export const views: NamedTable = { table: 'views', nameOf: ({ name }) => String(name) }
