import * as z from 'zod/mini'

/** The first file of a backup: its origin, and what the database needs before the rows can be loaded. */
export const Manifest = z.object({
  format: z.literal('foyer-backup'),
  /** Raised when older versions of Foyer cannot read the format any more. */
  edition: z.literal(1),
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The journal's partitions (YYYYMM), without which older rows would be put into the default partition. */
  journalMonths: z.array(z.string().check(z.regex(/^\d{4}(0[1-9]|1[0-2])$/))),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** In the order of loading. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})
export type Manifest = z.infer<typeof Manifest>

/** The last file of a backup, which is incomplete without it: the number of rows of each table. */
export const Completion = z.object({ rows: z.record(z.string(), z.int()) })

export const manifestName = 'manifest.json'
export const completionName = 'complete.json'
/** Rows in the text format of COPY: `tables/public.users/1`, split between rows. */
export const tableFolder = 'tables/'
/** Files of the data folder: `folder/secret.key`. */
export const fileFolder = 'folder/'
