import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from './mount.ts'

export type Sessions = {
  /** The owner and session of a request, by cookie or `Authorization: Bearer`. */
  authenticate: (request: FastifyRequest) => Promise<SignedIn | undefined>
  /** Begins a session and sets its cookie. Programs use the token. */
  begin: (owner: string, request: FastifyRequest, reply: FastifyReply) => Promise<{ id: string; token: string }>
  /** Removes the cookie. */
  clearCookie: (reply: FastifyReply) => void
  /** Must be called when sessions of an owner end: drops them from the cache of this process. */
  forget: (owner: string) => void
}
