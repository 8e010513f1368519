// npm test: static checks first, in parallel, then the build, then the tests.
// With --full the tests use their larger sizes (FOYER_FULL=1). All other arguments go to vitest.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

const node = (...rest: string[]): string[] => [process.execPath, ...rest]
const bin = (name: string, ...rest: string[]): string[] => [`node_modules/.bin/${name}`, ...rest]
const given = process.argv.slice(2)
const stages: Record<string, string[]>[] = [
  {
    imports: node('scripts/imports.ts'),
    lock: node('scripts/lock.mjs', '--check'),
    licences: node('scripts/licences.ts'),
    format: bin('oxfmt', '--check'),
    unused: bin('knip'),
    types: bin('tsc', '-b'),
    lint: bin('oxlint', '--type-aware', '--deny-warnings'),
    browser: node('scripts/chromium.ts'),
  },
  { build: bin('vite', 'build', '--logLevel', 'warn') },
  { tests: bin('vitest', 'run', ...given.filter((option) => option !== '--full')) },
]
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`, // the tools run the first node in PATH
  ...(given.includes('--full') && { FOYER_FULL: '1' }),
}

for (const stage of stages) {
  const codes = await Promise.all(Object.entries(stage).map(([name, command]) => run(name, command)))
  if (codes.some((code) => code !== 0)) process.exit(1)
}

/** Prints the command's output when it has ended, so that parallel outputs do not mix. The tests print immediately. */
function run(name: string, [command = '', ...rest]: string[]): Promise<number> {
  const started = performance.now()
  return new Promise((done) => {
    let output = ''
    const child = spawn(command, rest, {
      env,
      shell: process.platform === 'win32',
      stdio: name === 'tests' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        output += part.toString()
      })
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} ${((performance.now() - started) / 1000).toFixed(1)} s`)
      if (code !== 0) console.log(output)
      done(code ?? 1)
    })
  })
}
