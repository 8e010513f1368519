import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#server/testing/port.ts'

const root = join(import.meta.dirname, '..')
/** The flags of Node with which `npm start` starts the server. */
const serverFlags: string[] = JSON.parse(readFileSync(join(root, 'server/node-flags.json'), 'utf8'))

/** The product in a child process. Restarts keep its data folder and its address. */
export type Product = AsyncDisposable & {
  url: string
  /** The data folder. */
  folder: string
  /** Starts the product. Resolves when it accepts requests. */
  start: () => Promise<void>
  /** Stops the product with SIGTERM and returns its exit code. */
  stop: () => Promise<number | null>
  /** Runs a script of `scripts/` with the settings of this installation. */
  run: (script: string, ...options: string[]) => { code: number | null; output: string }
  serverProcessId: () => number
  /** Returns the id of the first process of PostgreSQL, which starts the others. */
  databaseProcessId: () => number
  isRunning: () => boolean
  /** Resolves when the process of the server has ended. */
  exited: () => Promise<void>
  /** Returns the last 4,000 characters of the server's log and of the database's log. */
  log: () => string
}

/** Starts the product with a new data folder. Disposing of the product stops it and removes the folder. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const product = await installProduct(settings)
  await product.start()
  return product
}

/** Returns a product that has not been started, with a new data folder in the system's temporary folder. */
export async function installProduct(settings: Record<string, string> = {}): Promise<Product> {
  const home = mkdtempSync(join(tmpdir(), 'foyer-product-'))
  chmodSync(home, 0o711) // lets other accounts enter, because the database runs as another account when root starts the product
  const folder = join(home, 'data')
  const logFile = join(home, 'product.log')
  const port = await findFreePort()
  const ownSettings = { FOYER_DATA: folder, PORT: String(port), FOYER_LOG: 'warn' }
  const env = { ...process.env, ...ownSettings, DATABASE_URL: undefined, NODE_ENV: undefined, VITEST: undefined, ...settings }
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const logHandle = openSync(logFile, 'w', 0o600)
    child = spawn(process.execPath, [...serverFlags, 'server/main.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', logHandle, logHandle, 'ipc'], // the product stops when the IPC channel to this process closes
    })
    closeSync(logHandle)
    while (!readFileSync(logFile, 'utf8').includes('is open at')) {
      if (hasEnded(child)) throw new Error(`The product did not start:\n${readLog()}`)
      await sleep(10)
    }
  }

  async function stop(): Promise<number | null> {
    child?.kill('SIGTERM')
    child?.kill('SIGCONT') // a test that failed may have stopped the process with SIGSTOP
    await exited()
    return child?.exitCode ?? null
  }

  async function exited(): Promise<void> {
    if (child && !hasEnded(child)) await once(child, 'exit')
  }

  function readLog(): string {
    const files = [logFile, join(folder, 'postgres.log')].filter((file) => existsSync(file))
    return files.map((file) => readFileSync(file, 'utf8').slice(-4000)).join('\n')
  }

  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    start,
    stop,
    exited,
    log: readLog,
    run: (script, ...options) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], { cwd: root, env, encoding: 'utf8' })
      return { code: status, output: stdout + stderr }
    },
    isRunning: () => child !== undefined && !hasEnded(child),
    serverProcessId: () => child?.pid ?? 0,
    databaseProcessId: () => parseInt(readFileSync(join(folder, 'pg/postmaster.pid'), 'utf8')),
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
