import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** One change of the schema: a file of SQL that never changes once it has run anywhere. */
export type Migration = { name: string; text: string; checksum: string }

/** The migrations in a folder, in the order of their names, each of which has a number of its own. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  const numbers = new Set(names.map((name) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]))
  if (numbers.has(undefined)) throw new Error(`A migration in ${folder} is not called like 0001_contacts.sql`)
  if (numbers.size < names.length) throw new Error(`Two migrations in ${folder} have the same number`)
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n') // as a checkout on Windows has it
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}
