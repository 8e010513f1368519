import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/**
 * The operating-system account that runs the database. Undefined if it is the account of this process; this process then does not run as
 * root.
 */
export type SystemAccount = { uid: number; gid: number } | undefined

/**
 * Returns the system account that runs the database. PostgreSQL refuses to run as root: if this process is root, the system account is the
 * owner of the data folder, or else `postgres`, or else `nobody`. `folder`: the data folder, which need not exist yet. Throws an
 * `OperatorError` if there is no such account.
 */
export function chooseSystemAccount(folder: string): SystemAccount {
  const [clusterStats, folderStats] = [join(folder, 'pg'), folder].map((path) => statSync(path, { throwIfNoEntry: false }))
  const ownUid = process.getuid?.()
  if (ownUid !== 0) {
    if (!clusterStats || clusterStats.uid === ownUid) return undefined
    throw new OperatorError(
      `The database in ${folder} belongs to ${describeSystemAccount(clusterStats)}: start Foyer as root or as that account, or give it another folder with FOYER_DATA.`,
    )
  }
  const owner = [clusterStats, folderStats].find((stats) => stats && stats.uid !== 0)
  if (owner) return { uid: owner.uid, gid: owner.gid }
  const systemAccount = findSystemAccount('postgres') ?? findSystemAccount('nobody')
  if (!systemAccount)
    throw new OperatorError('Foyer was started as root, and there is no account "postgres" or "nobody" for its database to run as.')
  return systemAccount
}

/** Returns a text for error messages, such as "the account postgres". */
export function describeSystemAccount({ uid }: { uid: number }): string {
  return `the account ${readSystemAccounts().find((candidate) => candidate.uid === uid)?.name ?? uid}`
}

/**
 * Returns the first folder on the path to `folder`, including `folder`, that the system account cannot enter; undefined if it can enter
 * all.
 */
export function findUnreachableFolder(folder: string, systemAccount: SystemAccount): string | undefined {
  if (!systemAccount) return undefined
  const folders = [folder]
  for (let path = folder; path !== dirname(path); path = dirname(path)) folders.unshift(dirname(path))
  // a shell of that account does the check, because the mode bits of a folder do not include its access control list
  const script = 'for folder do test -x "$folder" || { printf %s "$folder"; exit; }; done'
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...folders], { ...systemAccount, cwd: '/', encoding: 'utf8' })
  return stdout || undefined
}

function findSystemAccount(name: string): SystemAccount {
  const systemAccount = readSystemAccounts().find((candidate) => candidate.name === name)
  return systemAccount && { uid: systemAccount.uid, gid: systemAccount.gid }
}

function readSystemAccounts(): { name: string | undefined; uid: number; gid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).map(([name, _password, uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
