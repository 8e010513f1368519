import type { AppOptions } from '#server/app.ts'
import type { S3StandIn } from './s3.ts'
import { startKillable, type KillableProcess } from './killable.ts'
import { findFreePort } from './port.ts'

const moduleAddress = (path: string): string => new URL(path, import.meta.url).href
const program = `
  import { createApp } from '${moduleAddress('../app.ts')}'
  import { releaseMemoryWhenIdle } from '${moduleAddress('../platform/memory.ts')}'
  import { openStorage } from '${moduleAddress('../platform/storage/open.ts')}'
  const { connections, storage, port, allowedHosts = [] } = JSON.parse(process.argv[1])
  const readPage = async () => ''
  const reveal = () => storage.s3.secretAccessKey
  const app = await createApp({
    connections, address: 'http://foyer.test', isSignUpOpen: true, trustedProxies: 0, mail: { isConfigured: false, send: async () => {} },
    pages: { application: readPage, publicPage: readPage }, logger: false, isDevelopment: true, now: () => new Date(),
    storage: await openStorage('folder' in storage ? storage : { s3: { ...storage.s3, secretAccessKey: { reveal } } }),
    installationKey: 'the key of an installation in tests', fileLimits: { quotaBytes: 10 * 1024 ** 3, jsonFileBytes: 1024 ** 2 },
    recordQuotaBytes: 10 * 1024 ** 3, ai: {}, allowedHosts, disk: { folders: [], minFreeBytes: 0 },
  })
  releaseMemoryWhenIdle({ everyMs: 1000 })
  await app.server.listen({ port, host: '127.0.0.1' })
  console.log('listening')
`

type Options = {
  connections: AppOptions['connections']
  allowedHosts?: string[]
  storage: { folder: string } | { s3: S3StandIn['settings'] }
}

/** Starts a server in a process of its own, which the test can kill. */
export async function startServerProcess(options: Options): Promise<KillableProcess & { port: number; address: string }> {
  const port = await findFreePort()
  return { ...(await startKillable(program, { ...options, port })), port, address: `http://127.0.0.1:${port}` }
}
