// npm test: static checks first, in parallel, then the build, then the tests.
// With --full (FOYER_FULL=1) some tests use more rows and larger files. All other arguments go to vitest.
import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

const node = (...nodeArguments: string[]): string[] => [process.execPath, ...nodeArguments]
const bin = (name: string, ...toolArguments: string[]): string[] => [`node_modules/.bin/${name}`, ...toolArguments]
const options = process.argv.slice(2)
/** The commands of a stage run in parallel. A stage begins when all commands of the stage before have succeeded. */
const stages: Record<string, string[]>[] = [
  {
    imports: node('scripts/imports.ts'),
    lock: node('scripts/lock.mjs', '--check'),
    licences: node('scripts/licences.ts'),
    format: bin('oxfmt', '--check'),
    unused: bin('knip'),
    types: bin('tsc', '-b'),
    lint: bin('oxlint', '--type-aware', '--deny-warnings'),
    browser: node('scripts/chromium.ts'), // finds or installs the browser of the journeys
  },
  { build: bin('vite', 'build', '--logLevel', 'warn') },
  { tests: bin('vitest', 'run', ...options.filter((option) => option !== '--full')) },
]
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`, // each tool starts with the first `node` in PATH
  ...(options.includes('--full') && { FOYER_FULL: '1' }),
}

for (const stage of stages) {
  const codes = await Promise.all(Object.entries(stage).map(([name, command]) => run(name, command)))
  if (codes.some((code) => code !== 0)) process.exit(1)
}

/**
 * Runs a command and returns its exit code. Prints the output of a failed command after its end, so that the outputs of parallel commands
 * do not mix. The tests print their output immediately.
 */
function run(name: string, [command = '', ...commandArguments]: string[]): Promise<number> {
  const started = performance.now()
  return new Promise((done) => {
    let output = ''
    const child = spawn(command, commandArguments, {
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
