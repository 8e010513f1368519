// Views: what other rooms may know of them.
import type { TitledTable } from '#server/platform/context.ts'

/** Views are deleted and brought back like records. */
export const views: TitledTable = { table: 'views', nameOf: ({ name }) => String(name) }
