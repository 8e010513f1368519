import * as z from 'zod/mini'

/** The first file of a backup: its origin, and what must be created in the database before the rows are loaded. */
export const Manifest = z.object({
  format: z.literal('foyer-backup'),
  /** Raised when older versions of Foyer can no longer read the format. */
  edition: z.literal(1),
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The journal's partitions (YYYYMM), without which older rows would be inserted into the default partition. */
  journalMonths: z.array(z.string().check(z.regex(/^\d{4}(0[1-9]|1[0-2])$/))),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The tables in the order in which they are loaded. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})
export type Manifest = z.infer<typeof Manifest>

/** The last file of a backup, which is incomplete without it: the number of rows of each table. */
export const Completion = z.object({ rows: z.record(z.string(), z.int()) })

export const manifestName = 'manifest.json'
export const completionName = 'complete.json'
/** Contains rows in the text format of COPY, for example in `tables/public.users/1`. No row is split. */
export const tableFolder = 'tables/'
/** Contains the files of the data folder, for example `folder/secret.key`. */
export const fileFolder = 'folder/'
