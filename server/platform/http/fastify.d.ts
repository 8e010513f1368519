import '@fastify/cookie'
import type { ServerResponse } from 'node:http'
import type { SignedIn } from './mount.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface FastifyRequest {
    signedIn: SignedIn | undefined
  }
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface FastifyInstance {
    /** Event streams that are open: a stop ends them, else it would wait for them. */
    openStreams: Set<ServerResponse>
  }
}
