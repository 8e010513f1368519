import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/** The account that the database runs as; undefined for the account of this process, if that is not root. */
export type Account = { uid: number; gid: number } | undefined

/**
 * Returns the account that runs the database, because PostgreSQL refuses to run as root. If this process is root, the account is the owner
 * of the data folder, or else `postgres`, or else `nobody`. `folder`: the data folder, which need not exist yet. Throws an `OperatorError`
 * if there is no such account.
 */
export function chooseAccount(folder: string): Account {
  const [cluster, parent] = [join(folder, 'pg'), folder].map((path) => statSync(path, { throwIfNoEntry: false }))
  const ownUid = process.getuid?.()
  if (ownUid !== 0) {
    if (!cluster || cluster.uid === ownUid) return undefined
    throw new OperatorError(
      `The database in ${folder} belongs to ${describeAccount(cluster)}: start Foyer as root or as that account, or give it another folder with FOYER_DATA.`,
    )
  }
  const owner = [cluster, parent].find((stats) => stats && stats.uid !== 0)
  if (owner) return { uid: owner.uid, gid: owner.gid }
  const account = findAccount('postgres') ?? findAccount('nobody')
  if (!account)
    throw new OperatorError('Foyer was started as root, and there is no account "postgres" or "nobody" for its database to run as.')
  return account
}

/** Returns a text for error messages, such as "the account postgres". */
export function describeAccount({ uid }: { uid: number }): string {
  return `the account ${readAccounts().find((account) => account.uid === uid)?.name ?? uid}`
}

/** Returns the first folder on the path to `folder`, including `folder`, that the account cannot enter; undefined if it can enter all. */
export function findUnreachableFolder(folder: string, account: Account): string | undefined {
  if (!account) return undefined
  const folders = [folder]
  for (let path = folder; path !== dirname(path); path = dirname(path)) folders.unshift(dirname(path))
  // a shell of that account does the check, because the mode bits of a folder do not include its access control list
  const script = 'for folder do test -x "$folder" || { printf %s "$folder"; exit; }; done'
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...folders], { ...account, cwd: '/', encoding: 'utf8' })
  return stdout || undefined
}

function findAccount(name: string): Account {
  const account = readAccounts().find((candidate) => candidate.name === name)
  return account && { uid: account.uid, gid: account.gid }
}

function readAccounts(): { name: string | undefined; uid: number; gid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).map(([name, _password, uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
