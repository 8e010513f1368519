import * as z from 'zod/mini'

/** The first file of a backup. It says where the backup comes from, and which migrations and partitions its rows need. */
export const Manifest = z.object({
  format: z.literal('foyer-backup'),
  /** The version of the format. It increases when older versions of Foyer cannot read the new format. */
  edition: z.literal(1),
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The months (YYYYMM) of the journal's partitions. Rows of a month without a partition would be inserted into the default partition. */
  journalMonths: z.array(z.string().check(z.regex(/^\d{4}(0[1-9]|1[0-2])$/))),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The tables in the order in which they are loaded. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})
export type Manifest = z.infer<typeof Manifest>

/**
 * The last file of a backup: the number of rows of each table, and the names of the files that were deleted while the backup was written. A
 * backup without this file is incomplete. Backups of older versions do not list the missing files.
 */
export const Completion = z.object({ rows: z.record(z.string(), z.int()), missingFiles: z._default(z.array(z.string()), []) })
export type Completion = z.infer<typeof Completion>

export const manifestName = 'manifest.json'
export const completionName = 'complete.json'
/** Contains rows in the text format of COPY, for example in `tables/public.users/1`. A row is never divided between two files. */
export const tableFolder = 'tables/'
/** Contains the files of the data folder, for example `folder/secret.key`. */
export const fileFolder = 'folder/'
