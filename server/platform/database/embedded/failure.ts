// Explains to the operator why the embedded database cannot start.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { OperatorError } from '../../operator-error.ts'
import { DiskFullError } from './disk-space.ts'
import { describeSystemAccount, type SystemAccount } from './system-account.ts'

/** What the sentences name: the folder of the database, its log and its system account. */
type FailedCluster = { folder: string; logFile: string; systemAccount: SystemAccount }

/** Parts of messages of PostgreSQL about files that are missing, cut or altered. */
const damagePattern =
  /control file|pg_control|checkpoint record|could not find the database system|invalid (page|magic|record)|files are incompatible/
/**
 * The lines that say why a start failed: they have the level FATAL or PANIC, or begin with the program's name and have no level. Other
 * lines are no evidence of damage: each recovery after a crash logs an invalid record at the end of the write-ahead log.
 */
const failurePattern = /(FATAL|PANIC): |^postgres: /
/** Parts of messages about a folder that belongs to another system account or cannot be written. */
const accessPattern = /Permission denied|has wrong ownership|has invalid permissions|Read-only file system/

/**
 * Messages about a full disk. The system uses the same words when it has no more semaphores or shared memory; the first part of the pattern
 * excludes lines with these words.
 */
const fullPattern = /^(?!.*(semaphore|shared memory)).*(No space left on device|Disk quota exceeded)/

/** Returns the size of PostgreSQL's log in bytes, so that `readNewLog` returns only later lines. */
export const sizeOfLog = ({ logFile }: FailedCluster): number => statSync(logFile, { throwIfNoEntry: false })?.size ?? 0

/** Returns the lines of the log after the first `start` bytes. */
export function readNewLog({ logFile }: FailedCluster, start: number): string[] {
  const bytes = existsSync(logFile) ? readFileSync(logFile) : Buffer.alloc(0)
  const isNewFile = bytes.length < start // PostgreSQL's log was replaced, because it had become too large
  return bytes
    .subarray(isNewFile ? 0 : start)
    .toString()
    .trim()
    .split('\n')
}

/** Returns the error for a failed start; undefined if another attempt may succeed. `log`: the lines that PostgreSQL wrote. */
export function explainLog(cluster: FailedCluster, log: string[]): OperatorError | undefined {
  const fullLine = log.findLast((line) => failurePattern.test(line) && fullPattern.test(line))
  if (fullLine !== undefined)
    return new DiskFullError(`The disk of ${cluster.folder} is full (${removeTimeAndLevel(fullLine)}): free some space, then start again.`)
  const accessLine = log.find((line) => accessPattern.test(line))
  if (accessLine !== undefined) return createAccessError(cluster, removeTimeAndLevel(accessLine))
  const damageLine = log.findLast((line) => failurePattern.test(line) && damagePattern.test(line))
  return damageLine === undefined ? undefined : createDamageError(cluster, removeTimeAndLevel(damageLine))
}

/** Returns the error for a start that failed for another reason. */
export function createStartError({ folder, logFile }: FailedCluster, log: string[]): OperatorError {
  const reason = log.findLast((line) => failurePattern.test(line)) ?? log.at(-1) ?? ''
  return new OperatorError(
    `PostgreSQL does not start in ${folder} (${removeTimeAndLevel(reason)}): correct the problem that ${logFile} describes, then start again.`,
  )
}

/** Returns the error for a database whose files are damaged. */
export function createDamageError({ folder }: { folder: string }, reason: string): OperatorError {
  return new OperatorError(
    `The database in ${folder} is damaged (${reason}): keep this folder, and restore a backup with \`npm run restore\` into another FOYER_DATA.`,
  )
}

/**
 * Throws an `OperatorError` if root starts the database and its folder belongs to an account other than `systemAccount`, such as root,
 * which may have copied the folder.
 */
export function requireOwner(cluster: FailedCluster): void {
  const { folder, systemAccount } = cluster
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (!stats || !systemAccount || stats.uid === systemAccount.uid) return
  throw createAccessError(cluster, `it belongs to ${describeSystemAccount(stats)}`)
}

function createAccessError({ folder, systemAccount }: FailedCluster, reason: string): OperatorError {
  const uid = systemAccount?.uid ?? process.getuid?.() ?? 0
  return new OperatorError(
    `The database runs as ${describeSystemAccount({ uid })}, which cannot use ${folder} (${reason}): run chown -R ${uid} ${folder}, and chmod 700 ${folder}.`,
  )
}

/** Removes the time and the level of a line of the log, such as `2026-11-22 14:15:13.799 UTC  FATAL:  `. */
const removeTimeAndLevel = (line: string): string => line.replace(/^\S+ \S+ UTC .*?[A-Z]+: +/, '').trim()
