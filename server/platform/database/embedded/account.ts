import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/** The account that the database runs as; undefined is our own, when we are not root. */
export type Account = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root. For root the database runs as the owner of its folder, else as `postgres`, else as `nobody`.
 * `folder` is the data folder, which need not exist yet. Throws an `OperatorError` when no account fits.
 */
export function chooseAccount(folder: string): Account {
  const [cluster, parent] = [join(folder, 'pg'), folder].map((path) => statSync(path, { throwIfNoEntry: false }))
  const own = process.getuid?.()
  if (own !== 0) {
    if (!cluster || cluster.uid === own) return undefined
    throw new OperatorError(
      `The database in ${folder} belongs to ${nameOf(cluster)}: start Foyer as root or as that account, or give it another folder with FOYER_DATA.`,
    )
  }
  const owner = [cluster, parent].find((found) => found && found.uid !== 0)
  if (owner) return { uid: owner.uid, gid: owner.gid }
  const account = accountNamed('postgres') ?? accountNamed('nobody')
  if (!account)
    throw new OperatorError('Foyer was started as root, and there is no account "postgres" or "nobody" for its database to run as.')
  return account
}

/** "the account postgres", for messages. */
export function nameOf({ uid }: { uid: number }): string {
  return `the account ${accounts().find((account) => account.uid === uid)?.name ?? uid}`
}

/** The first folder on the path to `folder`, itself included, that the account may not enter; undefined when it may enter all. */
export function firstUnreachable(folder: string, account: Account): string | undefined {
  if (!account) return undefined
  const folders = [folder]
  for (let at = folder; at !== dirname(at); at = dirname(at)) folders.unshift(dirname(at))
  // asks the kernel as that account, because mode bits do not show access control lists
  const script = 'for folder do test -x "$folder" || { printf %s "$folder"; exit; }; done'
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...folders], { ...account, cwd: '/', encoding: 'utf8' })
  return stdout || undefined
}

function accountNamed(name: string): Account {
  const found = accounts().find((account) => account.name === name)
  return found && { uid: found.uid, gid: found.gid }
}

function accounts(): { name: string | undefined; uid: number; gid: number }[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.map((line) => line.split(':')).map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
