import '@fastify/cookie'
import type { ServerResponse } from 'node:http'
import type { SignedIn } from './mount.ts'

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | undefined
  }
  interface FastifyInstance {
    /** Open event streams. A stop ends them, because it would wait for them. */
    openStreams: Set<ServerResponse>
  }
}
