import '@fastify/cookie'
import type { RequestIdentity } from './identity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    identity: RequestIdentity | undefined
  }
  interface FastifyInstance {
    /** Open event streams. When the server stops, it ends these streams instead of waiting for their end. */
    openStreams: Set<{ end: () => void }>
  }
}
