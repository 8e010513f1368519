// Checks outside of the database: the file of the key, the data folder, the mail server, the AI, the backup and the time zone data.
import { constants } from 'node:fs'
import { access, mkdir, readFile, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createAi } from '../ai/ai.ts'
import type { AiSettings } from '../ai/settings.ts'
import { errorCode } from '../error-code.ts'
import { verifySmtp } from '../mail/smtp.ts'
import { openKeyFile } from '../security/key-file.ts'
import { zoneDataVersion } from '../time/zones.ts'
import { error, formatBytes, ok, warning, type Finding } from './check.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Less free space is an error, because PostgreSQL and uploads may fail soon. */
const minFreeBytes = 500e6
/** Less free space is a warning. */
const warningFreeBytes = 2e9
const maxBackupAgeDays = 7
/** Older time zone data is reported. Several countries change the rules of their time zone each year. */
const maxZoneDataAgeYears = 1
const lastBackupName = 'last-backup'

/** Checks that the file with the key exists, is valid, and cannot be read by other accounts of the operating system. */
export async function checkKeyFile(file: string): Promise<Finding[]> {
  try {
    if (openKeyFile(file).find() === undefined)
      return [error(`${file} does not exist. Restore it from a backup; if it is lost, run npm run accept-key, which then creates a key.`)]
  } catch (thrown) {
    return [error(describeSecretError(thrown))]
  }
  const stats = await stat(file)
  const isPrivate = process.platform === 'win32' || (stats.mode & 0o077) === 0 // no rights for the group and for others
  return [isPrivate ? ok(`${file} has the key.`) : warning(`Other accounts of this machine can read ${file}. Run chmod 600 ${file}.`)]
}

/** An error with a cause is one of the file system. Its message says what to do, and the key in the file may be right. */
function describeSecretError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause === undefined ? `${thrown.message} Restore it from a backup.` : thrown.message
}

/** Checks that the data folder exists, can be read and written and has free space. */
export async function checkFolder(folder: string): Promise<Finding[]> {
  const accessError = await access(folder, constants.R_OK | constants.W_OK).catch((thrown: unknown) => thrown)
  if (errorCode(accessError) === 'ENOENT')
    return [
      error(
        `${folder} does not exist. Set FOYER_DATA to the data folder, or restore a backup; for a new installation start Foyer, which creates it.`,
      ),
    ]
  if (accessError !== undefined)
    return [error(`The account that runs this check cannot read and write ${folder}. Make the account that runs Foyer its owner.`)]
  const { bavail, bsize } = await statfs(folder)
  return [judgeFreeSpace(folder, bavail * bsize)]
}

/** Judges the free space of the disk with this folder, in bytes. */
export function judgeFreeSpace(folder: string, bytes: number): Finding {
  const text = `The disk of ${folder} has ${formatBytes(bytes)} free.`
  if (bytes < minFreeBytes) return error(`${text} Free some space now: the database may stop.`)
  return bytes < warningFreeBytes ? warning(`${text} Free some space.`) : ok(text)
}

/** Checks that the AI of the operator answers and has its model. `connection` is undefined if none is configured. */
export async function checkAi({ connection }: AiSettings, allowedHosts: readonly string[]): Promise<Finding[]> {
  if (!connection) return [ok('No AI is configured for all accounts; each user can connect one.')]
  const { baseUrl, key, model } = connection
  try {
    const models = await createAi({ allowedHosts, operatorUrl: baseUrl }).listModels({ baseUrl, key: key?.reveal() })
    if (models.includes(model)) return [ok(`The AI service answers and has the model ${model}.`)]
    return [warning(`The AI service answers, and its list of models does not have ${model}. Check AI_MODEL.`)]
  } catch (thrown) {
    return [error(`${thrown instanceof Error ? thrown.message : String(thrown)} Check AI_URL and AI_KEY.`)]
  }
}

/** Checks that the mail server answers and accepts our name and password. `smtpUrl` is undefined if none is configured. */
export async function checkMail(smtpUrl: string | undefined): Promise<Finding[]> {
  if (smtpUrl === undefined) return [ok('No mail server is configured, so no mail is sent.')]
  try {
    await verifySmtp(smtpUrl)
    return [ok('The mail server answers.')]
  } catch (thrown) {
    return [error(`${thrown instanceof Error ? thrown.message : String(thrown)}. Check SMTP_URL.`)]
  }
}

/** Stores the time of a backup for `checkBackup`. */
export async function rememberBackup(folder: string, at: Date): Promise<void> {
  await mkdir(folder, { recursive: true }) // it does not exist if the database, the files and the key are all stored elsewhere
  await writeFile(join(folder, lastBackupName), `${at.toISOString()}\n`)
}

/** Checks the age of the last backup. `npm run backup` has stored its time in this data folder. */
export async function checkBackup(folder: string, now: Date): Promise<Finding[]> {
  const text = await readFile(join(folder, lastBackupName), 'utf8').catch((thrown: unknown) => {
    if (errorCode(thrown) === 'ENOENT') return undefined
    throw thrown
  })
  const at = text === undefined ? undefined : new Date(text.trim())
  if (!at || Number.isNaN(at.getTime())) return [warning('No backup is known. Run npm run backup -- FILE every day.')]
  const days = Math.floor((now.getTime() - at.getTime()) / dayMs)
  const state = `The last backup was made on ${at.toISOString().slice(0, 10)}.`
  return [days > maxBackupAgeDays ? warning(`${state} Run npm run backup -- FILE every day.`) : ok(state)]
}

/** Checks the age of the time zone data. */
export async function checkZones(now: Date, version = zoneDataVersion): Promise<Finding[]> {
  const years = now.getUTCFullYear() - parseInt(version) // reads the year of a version such as "2026a"
  const text = `The time zone data is ${version}.`
  return [years > maxZoneDataAgeYears ? warning(`${text} Get a newer version of Foyer.`) : ok(text)]
}
