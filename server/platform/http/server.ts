import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import serveStatic from '@fastify/static'
import fastify, { LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { acceptJson, bodyLimitBytes, encodingRefusal } from './body.ts'
import { closeConnectionsOnStop } from './closing.ts'
import { refuseForeignOrigin } from './origin.ts'
import { assetFolders } from './pages.ts'
import { sendProblem } from './problem.ts'
import { closeUnreadResponses } from './read-limit.ts'
import { isTimeoutLifted, requestTimeoutMs, slowBodyCode } from './request-timeout.ts'

type ServerOptions = {
  /** The public origin, such as `https://foyer.example`. */
  address: string
  /** The number of proxies in front of the server. Only their forwarded headers are trusted. */
  trustedProxies: number
  logger: FastifyServerOptions['logger']
  isDevelopment: boolean
  /** The time for which a client may read nothing of its response. A minute by default. */
  readTimeoutMs?: number
}

/** The policy of web workers, which comes with their script: they may load scripts and data from this origin, and nothing else. */
const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'"

/** The build gives assets and their folders names of these characters. No name begins with a dot. */
const assetPath = /^(\w[\w.-]*\/)*\w[\w.-]*$/

/** Headers that have an effect only on documents. Other files are sent without them, which saves 10 kB in a first visit. */
const documentHeaders = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/** Creates a server without routes: parsing, headers, origin check, problem documents, assets, and one log line per response. */
export async function createServer({
  address,
  trustedProxies,
  logger,
  isDevelopment,
  readTimeoutMs,
}: ServerOptions): Promise<FastifyInstance> {
  const server = fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, _request, reply) => void sendProblem(reply, error),
    genReqId: () => randomUUID(),
    trustProxy: (_address, hop) => hop < trustedProxies, // hop 0 is the nearest proxy
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseUnreadableRequest,
    return503OnClosing: false,
  })
  server.decorateRequest('identity', undefined)
  const openStreams = new Set<{ end: () => void }>()
  server.decorate('openStreams', openStreams)
  server.addHook('preClose', async () => {
    for (const stream of openStreams) stream.end()
  })
  closeConnectionsOnStop(server)
  closeUnreadResponses(server.server, readTimeoutMs)
  server.setErrorHandler((error, _request, reply) => sendProblem(reply, error))
  acceptJson(server)
  const isHttps = address.startsWith('https:')
  await server.register(helmet, {
    contentSecurityPolicy: false, // `documents.ts` sends the policy, because each document has its own nonce
    hsts: isHttps && { maxAge: 31_536_000 }, // a year in seconds
    crossOriginEmbedderPolicy: false,
  })
  await server.register(cookie)
  await server.register(compress, {
    threshold: 1024, // smaller responses are sent uncompressed
    onUnsupportedRequestEncoding: () => encodingRefusal('Send the body without Content-Encoding, or with gzip'),
  })
  if (!isDevelopment) {
    await server.register(serveStatic, {
      root: assetFolders,
      serve: false, // the plugin's route reads the list of all assets for each request, which takes two thirds of the time
      immutable: true,
      maxAge: '1y',
      preCompressed: true, // the build contains each text file also in compressed form
      etag: false, // a browser never asks again for a file that is immutable
      lastModified: false,
      setHeaders: (reply) => {
        for (const name of documentHeaders) reply.raw.removeHeader(name)
        reply.header('content-security-policy', workerPolicy)
      },
    })
    server.get<{ Params: { '*': string } }>('/assets/*', ({ params: { '*': path } }, reply) =>
      assetPath.test(path) ? reply.sendFile(path) : reply.callNotFound(),
    )
  }
  server.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id)
    refuseForeignOrigin(request, address)
  })
  // logs the route and not the URL, because a URL may contain searches and tokens
  server.addHook('onResponse', async (request, reply) => {
    const { url: route } = request.routeOptions
    request.log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'response sent')
  })
  return server
}

/** Refuses a request that is not valid HTTP or did not arrive in time, and closes its connection. */
function refuseUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isTimeoutLifted(socket)) return
  const status = statusOfUnreadableRequest[error.code ?? ''] ?? '400 Bad Request'
  const canRespond = socket.writable && error.code !== 'ECONNRESET'
  if (canRespond) socket.write(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  socket.destroy()
}

/** The status line for the codes of Node's parser errors. */
const statusOfUnreadableRequest: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  [slowBodyCode]: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}
