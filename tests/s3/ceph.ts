// A real S3 server for tests: the gateway of Ceph, with one monitor and one store in memory, which Ceph needs. Nothing is installed: the
// programs run from a folder with unpacked packages, or from the system's folders.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import type { S3Settings } from '#server/platform/storage/s3-requests.ts'
import { findFreePort } from '#server/testing/port.ts'

const packages = ['radosgw', 'ceph-mon', 'ceph-osd']
const programs = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'monmaptool', 'osdmaptool']
const cacheFolder = join(import.meta.dirname, '../../node_modules/.cache/ceph')
const startTimeoutMs = 60_000

/** What to do when no programs are found. */
export const installAdvice = `The S3 server of Ceph is missing. On Debian or Ubuntu, "npm run test:s3 -- --download" unpacks it into
node_modules/.cache/ceph (70 MB to download) without installing it, and "apt-get install ${packages.join(' ')}" installs it. Or set
FOYER_S3_ENDPOINT, FOYER_S3_BUCKET, FOYER_S3_ACCESS_KEY_ID and FOYER_S3_SECRET_ACCESS_KEY to test a store of your own.`

/** Returns the root folder of the programs; undefined when one of them is missing. */
export const findCeph = (): string | undefined =>
  ['/', cacheFolder].find((root) => programs.every((program) => existsSync(join(root, 'usr/bin', program))))

/** Downloads and unpacks the packages and those dependencies that are not installed. Needs `apt-get` and `dpkg`. */
export function downloadCeph(): void {
  const downloads = mkdtempSync(join(tmpdir(), 'foyer-ceph-'))
  const plan = execFileSync('apt-get', ['install', '--simulate', '--no-install-recommends', ...packages], { encoding: 'utf8' })
  const names = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name]) => String(name))
  execFileSync('apt-get', ['download', '-qq', ...names], { cwd: downloads, stdio: 'inherit' })
  mkdirSync(cacheFolder, { recursive: true })
  for (const file of readdirSync(downloads)) execFileSync('dpkg', ['-x', join(downloads, file), cacheFolder])
  rmSync(downloads, { recursive: true })
}

/** Starts the server with one user and one bucket. Takes about 15 seconds. */
export async function startCeph(root: string): Promise<AsyncDisposable & { settings: S3Settings; version: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-ceph-'))
  const libraries = findLibraries(root)
  const [monitorPort, gatewayPort] = [await findFreePort(), await findFreePort()]
  const env = { ...process.env, LD_LIBRARY_PATH: libraries.join(':') }
  const path = (program: string): string => join(root, 'usr/bin', program)
  const run = (program: string, ...options: string[]): string =>
    execFileSync(path(program), options, { cwd: folder, env, encoding: 'utf8', timeout: startTimeoutMs, stdio: ['ignore', 'pipe', 'pipe'] })
  const children: ChildProcess[] = []
  const start = (program: string, ...options: string[]): void => {
    children.push(spawn(path(program), ['-c', 'ceph.conf', '-f', ...options], { cwd: folder, env, stdio: 'ignore' }))
  }
  const stop = async (): Promise<void> => {
    for (const child of children.toReversed()) {
      const exited = child.exitCode === null && child.signalCode === null && once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
    rmSync(folder, { recursive: true })
  }
  const user = { accessKeyId: 'foyer-test', secretAccessKey: randomUUID() }
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${gatewayPort}`,
    region: 'us-east-1',
    bucket: 'user-files',
    isPathStyle: true,
    ...user,
  }
  try {
    const id = randomUUID()
    writeFileSync(join(folder, 'ceph.conf'), createConfiguration({ id, folder, libraries, monitorPort, gatewayPort }))
    for (const name of ['monitor', 'store', 'gateway']) mkdirSync(join(folder, name))
    run('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *')
    const allowAll = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *']
    for (const name of ['client.admin', 'client.gateway']) run('ceph-authtool', 'keyring', '--gen-key', '-n', name, ...allowAll)
    run('ceph-authtool', 'keyring', '--gen-key', '-n', 'osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *')
    run('monmaptool', '--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', id, 'monitors')
    run('osdmaptool', '--createsimple', '1', '--pg-bits', '0', '--pgp-bits', '0', 'stores', '-c', 'ceph.conf')
    run('ceph-mon', '-c', 'ceph.conf', '--mkfs', '-i', 'a', '--monmap', 'monitors', '--osdmap', 'stores', '--keyring', 'keyring')
    start('ceph-mon', '-i', 'a')
    const storeOptions = [
      '-i',
      '0',
      '--mkfs',
      '--osd-uuid',
      randomUUID(),
      '--no-mon-config',
      '--monmap',
      'monitors',
      '--keyring',
      'keyring',
    ]
    run('ceph-osd', '-c', 'ceph.conf', ...storeOptions)
    start('ceph-osd', '-i', '0')
    const userOptions = ['--uid', 'foyer', '--display-name', 'Foyer', '--access-key', user.accessKeyId, '--secret', user.secretAccessKey]
    run('radosgw-admin', '-c', 'ceph.conf', '-n', 'client.gateway', 'user', 'create', ...userOptions)
    start('radosgw', '-n', 'client.gateway')
    await createBucket(settings)
    return { settings, version: run('radosgw', '--version').trim(), [Symbol.asyncDispose]: stop }
  } catch (error) {
    const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
    for (const log of logs) console.error(`${log}:\n${readFileSync(join(folder, log), 'utf8').slice(-1000)}`)
    await stop()
    throw error
  }
}

/** Returns the folders of the libraries: first that of the architecture, such as `x86_64-linux-gnu`. */
function findLibraries(root: string): string[] {
  const architecture = readdirSync(join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? ''
  const main = join(root, 'usr/lib', architecture)
  return [main, join(main, 'ceph'), join(root, 'lib', architecture)]
}

type ConfigurationValues = { id: string; folder: string; libraries: string[]; monitorPort: number; gatewayPort: number }

const createConfiguration = ({ id, folder, libraries: [library = ''], monitorPort, gatewayPort }: ConfigurationValues): string => `[global]
fsid = ${id}
mon_initial_members = a
mon_host = [v2:127.0.0.1:${monitorPort}]
public_network = 127.0.0.0/8
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
keyring = ${folder}/keyring
run_dir = ${folder}
pid_file = ${folder}/$name.pid
admin_socket = ${folder}/$name.socket
log_file = ${folder}/$name.log
mon_cluster_log_file = ${folder}/cluster.log
mon_data = ${folder}/monitor
osd_data = ${folder}/store
rgw_data = ${folder}/gateway
plugin_dir = ${library}/ceph
erasure_code_dir = ${library}/ceph/erasure-code
osd_class_dir = ${library}/rados-classes
osd_objectstore = memstore
memstore_device_bytes = ${4 * 1024 ** 3}
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
rgw_frontends = beast endpoint=127.0.0.1:${gatewayPort}
`

/** Creates the bucket as soon as the server responds. */
async function createBucket({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3Settings): Promise<void> {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 })
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    const response = await client.fetch(`${endpoint}/${bucket}`, { method: 'PUT' }).catch(() => undefined)
    if (response?.ok) return
    if (Date.now() > deadline) throw new Error(`The bucket was not created: ${(await response?.text()) ?? 'no response'}`)
    await sleep(100)
  }
}
