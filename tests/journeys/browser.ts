import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.ts'

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: findChromium() ?? 'chromium', args: quiet })

/** Every complaint of the page, the refusals of the content security policy included. */
export function complaints(page: Page): string[] {
  const said: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => said.push(String(error)))
  return said
}

export type Running = { url: string; process: ChildProcess; said: () => string; stop: () => Promise<number | null> }

/** Starts a script under this Node on a free port and waits until it says where it is open. */
export async function run(script: string, settings: Record<string, string> = {}): Promise<Running> {
  const port = await freePort()
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...settings, PORT: String(port), NODE_ENV: undefined, VITEST: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString()
    })
  const url = `http://127.0.0.1:${port}`
  for (let waited = 0; !said.includes('is open at'); waited += 20) {
    if (waited > 30_000 || child.exitCode !== null) throw new Error(`${script} did not start:\n${said}`)
    await new Promise((done) => setTimeout(done, 20))
  }
  return {
    url,
    process: child,
    said: () => said,
    stop: () =>
      new Promise((done) => {
        child.once('exit', done)
        child.kill('SIGTERM')
      }),
  }
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
