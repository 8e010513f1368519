import { expect, test } from 'vitest'
import { createStartError, explainLog } from './failure.ts'

const cluster = { folder: '/data/pg', logFile: '/data/postgres.log', systemAccount: undefined }
/** Returns a line of PostgreSQL's log. */
const toLine = (text: string): string => `2026-11-22 14:15:13.799 UTC [42] ${text}`
/** Lines that PostgreSQL logs at each start after a crash. The last one sounds like damage, but is not. */
const recovery = [
  toLine('LOG:  database system was not properly shut down; automatic recovery in progress'),
  toLine('LOG:  redo starts at 0/1A2B3C8'),
  toLine('LOG:  invalid record length at 0/1A2B4F0: expected at least 24, got 0'),
]

test('the error of a start that fails because the disk is full names the disk, and does not call the database damaged', () => {
  const log = [
    ...recovery,
    toLine('PANIC:  could not write to file "pg_wal/xlogtemp.43": No space left on device'),
    toLine('LOG:  startup process (PID 43) was terminated by signal 6: Aborted'),
  ]
  expect(explainLog(cluster, log)?.message).toBe(
    'The disk of /data/pg is full (could not write to file "pg_wal/xlogtemp.43": No space left on device): free some space, then start again.',
  )
})

test('missing semaphores are not explained as a full disk, although the message is the same: the start is tried again', () => {
  const log = [toLine('FATAL:  could not create semaphores: No space left on device')]
  expect(explainLog(cluster, log)).toBeUndefined() // undefined makes the caller try again
  expect(createStartError(cluster, log).message).toBe(
    'PostgreSQL does not start in /data/pg (could not create semaphores: No space left on device): correct the problem that /data/postgres.log describes, then start again.',
  )
})

test('the error of a start that fails because of damaged files names the damage', () => {
  for (const [line, reason] of [
    [toLine('PANIC:  could not locate a valid checkpoint record at 0/1A2B3C8'), 'could not locate a valid checkpoint record at 0/1A2B3C8'],
    [toLine('FATAL:  incorrect checksum in control file'), 'incorrect checksum in control file'],
    ['postgres: could not find the database system', 'postgres: could not find the database system'],
  ] as const)
    expect(explainLog(cluster, [...recovery, line])?.message).toMatch(`The database in /data/pg is damaged (${reason}): keep this folder`)
})

test('the error names a file that cannot be read, even if PostgreSQL logs it before the line that says why the start failed', () => {
  const log = [
    toLine('LOG:  could not open file "/data/pg/pg_hba.conf": Permission denied'),
    toLine('FATAL:  could not load /data/pg/pg_hba.conf'),
  ]
  expect(explainLog(cluster, log)?.message).toContain(
    'cannot use /data/pg (could not open file "/data/pg/pg_hba.conf": Permission denied): run chown',
  )
})
