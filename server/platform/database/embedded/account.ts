import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/** The account that the database runs as; undefined for the account of this process, if that is not root. */
export type Account = { uid: number; gid: number } | undefined

/**
 * Returns the account for the database, because PostgreSQL refuses to run as root. If this process is root, the account is the owner of
 * the data folder, or else `postgres`, or else `nobody`. `folder`: the data folder, which need not exist yet. Throws an `OperatorError` if
 * there is no such account.
 */
export function chooseAccount(folder: string): Account {
  const [cluster, parent] = [join(folder, 'pg'), folder].map((path) => statSync(path, { throwIfNoEntry: false }))
  const own = process.getuid?.()
  if (own !== 0) {
    if (!cluster || cluster.uid === own) return undefined
    throw new OperatorError(
      `The database in ${folder} belongs to ${accountName(cluster)}: start Foyer as root or as that account, or give it another folder with FOYER_DATA.`,
    )
  }
  const owner = [cluster, parent].find((stats) => stats && stats.uid !== 0)
  if (owner) return { uid: owner.uid, gid: owner.gid }
  const account = accountNamed('postgres') ?? accountNamed('nobody')
  if (!account)
    throw new OperatorError('Foyer was started as root, and there is no account "postgres" or "nobody" for its database to run as.')
  return account
}

/** Returns the name of an account for error messages: "the account postgres". */
export function accountName({ uid }: { uid: number }): string {
  return `the account ${accounts().find((account) => account.uid === uid)?.name ?? uid}`
}

/** Returns the first folder on the path to `folder`, including `folder`, that the account cannot enter; undefined if it can enter all. */
export function firstUnreachable(folder: string, account: Account): string | undefined {
  if (!account) return undefined
  const folders = [folder]
  for (let path = folder; path !== dirname(path); path = dirname(path)) folders.unshift(dirname(path))
  // runs the check as that account, because mode bits do not include access control lists
  const script = 'for folder do test -x "$folder" || { printf %s "$folder"; exit; }; done'
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...folders], { ...account, cwd: '/', encoding: 'utf8' })
  return stdout || undefined
}

function accountNamed(name: string): Account {
  const account = accounts().find((candidate) => candidate.name === name)
  return account && { uid: account.uid, gid: account.gid }
}

function accounts(): { name: string | undefined; uid: number; gid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
