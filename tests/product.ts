import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#server/testing/port.ts'

const root = join(import.meta.dirname, '..')

/** The real product in a process of its own, on a data folder and at an address that stay the same over its deaths. */
export type Product = AsyncDisposable & {
  url: string
  /** The data folder, without links. */
  folder: string
  /** Resolves when it says that it is open. */
  start: () => Promise<void>
  /** Asks it to stop and answers its exit code. */
  stop: () => Promise<number | null>
  /** Runs a script of the operator's on the same installation. */
  run: (script: string, ...given: string[]) => { code: number | null; said: string }
  serverId: () => number
  databaseId: () => number
  isRunning: () => boolean
  /** Resolves when the server's process is gone. */
  gone: () => Promise<void>
  /** The end of what it and its database wrote, for whoever has to find out what went wrong. */
  said: () => string
}

/** The product as people start it, open. It goes away with its data folder when it is disposed of. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const product = await installProduct(settings)
  await product.start()
  return product
}

/** Installs nothing and starts nothing yet. A data folder of its own under the temporary folder. */
export async function installProduct(settings: Record<string, string> = {}): Promise<Product> {
  const home = mkdtempSync(join(tmpdir(), 'foyer-product-'))
  chmodSync(home, 0o711) // started by root, the database runs as another account
  const folder = join(home, 'data')
  const logFile = join(home, 'product.log')
  const port = await freePort()
  const own = { FOYER_DATA: folder, PORT: String(port), FOYER_LOG: 'warn' }
  const env = { ...process.env, ...own, DATABASE_URL: undefined, NODE_ENV: undefined, VITEST: undefined, ...settings }
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const log = openSync(logFile, 'w', 0o600)
    child = spawn(process.execPath, ['server/main.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', log, log, 'ipc'], // the channel ends it with us
    })
    closeSync(log)
    while (!readFileSync(logFile, 'utf8').includes('is open at')) {
      if (hasEnded(child)) throw new Error(`The product did not start:\n${said()}`)
      await sleep(10)
    }
  }

  async function stop(): Promise<number | null> {
    child?.kill('SIGTERM')
    await gone()
    return child?.exitCode ?? null
  }

  async function gone(): Promise<void> {
    if (child && !hasEnded(child)) await once(child, 'exit')
  }

  function said(): string {
    const files = [logFile, join(folder, 'postgres.log')].filter((file) => existsSync(file))
    return files.map((file) => readFileSync(file, 'utf8').slice(-4000)).join('\n')
  }

  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    start,
    stop,
    gone,
    said,
    run: (script, ...given) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...given], { cwd: root, env, encoding: 'utf8' })
      return { code: status, said: stdout + stderr }
    },
    isRunning: () => child !== undefined && !hasEnded(child),
    serverId: () => child?.pid ?? 0,
    databaseId: () => parseInt(readFileSync(join(folder, 'pg/postmaster.pid'), 'utf8')),
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
