import '@fastify/cookie'
import type { ServerResponse } from 'node:http'
import type { SignedIn } from './mount.ts'

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | undefined
  }
  interface FastifyInstance {
    /** Event streams that are open: a stop ends them, else it would wait for them. */
    openStreams: Set<ServerResponse>
  }
}
