import * as z from 'zod/mini'

/** The first file of a backup: where it comes from, and what a database must be like before its rows fit. */
export const Manifest = z.object({
  format: z.literal('foyer-backup'),
  /** Raised when an older Foyer could not read what a newer one writes. */
  edition: z.literal(1),
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** The journal's partitions: the new ones are made by the calendar, and older rows would fall into the default one. */
  journalMonths: z.array(z.string().check(z.regex(/^\d{4}(0[1-9]|1[0-2])$/))),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** In the order of loading. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})
export type Manifest = z.infer<typeof Manifest>

/** The last file of a backup, without which it is not whole: how many rows each table has. */
export const Completion = z.object({ rows: z.record(z.string(), z.int()) })

export const manifestName = 'manifest.json'
export const completionName = 'complete.json'
/** Rows in the text format of COPY: `tables/public.users/1`, cut between rows. */
export const tableFolder = 'tables/'
/** Files of the data folder: `folder/secret.key`. */
export const fileFolder = 'folder/'
