import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { errorCode } from '#server/platform/error-code.ts'

/** What belongs to an installation beside its database: the key, and the files of its people in `files` of the data folder. */
export type Installation = { folder: string; secretFile: string }

const keyName = 'secret.key'
const carried = 'files'

/** Names of the files that a backup carries. */
export function listFiles({ folder, secretFile }: Installation): string[] {
  const names = existsSync(secretFile) ? [keyName] : []
  const home = join(folder, carried)
  if (!existsSync(home)) return names
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return [...names, ...paths.map((path) => path.replaceAll(sep, '/')).toSorted()]
}

/** Undefined when it has gone since it was listed. */
export async function readCarried(name: string, installation: Installation): Promise<Buffer | undefined> {
  try {
    return await readFile(placeOf(name, installation))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Throws a `OperatorError` when there is another file in its place. */
export function refuseOther(name: string, body: Buffer, installation: Installation): void {
  const place = placeOf(name, installation)
  if (!existsSync(place) || readFileSync(place).equals(body)) return
  throw new OperatorError(`${place} is there already and is not the one in the backup: move it away first.`)
}

/** Answers the path that was written; undefined when the file is there already. */
export async function writeCarried(name: string, body: Buffer, installation: Installation): Promise<string | undefined> {
  const place = placeOf(name, installation)
  if (existsSync(place)) return undefined
  await mkdir(dirname(place), { recursive: true })
  await writeFile(place, body, { mode: 0o600, flag: 'wx', flush: true })
  return place
}

function placeOf(name: string, { folder, secretFile }: Installation): string {
  if (name === keyName) return secretFile
  const place = resolve(folder, name)
  if (!place.startsWith(join(folder, carried) + sep)) throw new Error(`${name} does not belong into a data folder`)
  return place
}
