import '@fastify/cookie'
import type { RequestIdentity } from './identity.ts'

declare module 'fastify' {
  interface FastifyRequest {
    identity: RequestIdentity | undefined
  }
  interface FastifyInstance {
    /** Open event streams. A stop ends them; otherwise it would wait for them. */
    openStreams: Set<{ end: () => void }>
  }
}
