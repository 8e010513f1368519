import type { FastifyReply } from 'fastify'
import { errors, type ErrorCode, type Problem } from '#contract/errors.ts'
import { UnconfirmedCommit } from '#server/platform/database/transaction.ts'
import { errorCode, isMissingOwnerError } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** Maps the error codes of Fastify and its plugins, Node and PostgreSQL to ours. */
const ourCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_CP_ERR_INVALID_CONTENT: 'malformed', // a body that cannot be decompressed
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: 'not_found', // the method QUERY, which no route has
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_STATIC_FORBIDDEN_PATH: 'not_found',
  '40P01': 'not_ready', // deadlock
  '40001': 'not_ready', // serialization failure
  '55P03': 'busy', // lock timeout
  '57014': 'not_ready', // statement timeout
  '57P01': 'not_ready', // PostgreSQL shuts down
  '57P03': 'not_ready', // PostgreSQL starts
  '53300': 'not_ready', // too many connections
  '53200': 'not_ready', // out of memory
  '53100': 'disk_full',
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full', // the quota of the account that runs the server
  FY001: 'record_quota_exceeded', // the codes of app.count_written
  FY002: 'disk_full',
  FY003: 'disk_low',
  ECONNREFUSED: 'not_ready',
  ECONNRESET: 'not_ready',
  EPIPE: 'not_ready',
}

/** The number of seconds after which a client should repeat a request that was refused with `busy`. */
const busySeconds = 5

/** Sends a problem document for any error. The client gets only the public message; the cause is logged. */
export function sendProblem(reply: FastifyReply, error: unknown): FastifyReply {
  const refusal = toRefusal(error)
  const [status] = errors[refusal.code]
  // ECONNRESET and EPIPE become `not_ready`: usually the connection to the database was lost, but here it can be the connection of the
  // client
  const isLostClient = refusal.code === 'not_ready' && reply.raw.destroyed
  if (status >= 500 && !isLostClient) reply.log.error({ err: error }, 'request failed')
  if (refusal.extras.retry_after_seconds !== undefined) reply.header('retry-after', refusal.extras.retry_after_seconds)
  return reply
    .code(status)
    .type('application/problem+json')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(problemOf(refusal, reply.request.id)))
}

/** Formats a refusal as a problem document. */
export function problemOf({ code, extras }: Refusal, requestId: string): Problem {
  const [status, message] = errors[code]
  const [firstFieldMessage] = Object.values(extras.fields ?? {})
  const type = `urn:foyer:problem:${code}`
  return { type, title: message, status, code, detail: firstFieldMessage ?? message, request_id: requestId, ...extras }
}

/** Converts an error to one that may be sent to the client, with the original error as its cause. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof UnconfirmedCommit) return new Refusal('outcome_unknown', {}, error)
  if (isMissingOwnerError(error)) return new Refusal('not_signed_in', {}, error)
  const code = ourCodes[errorCode(error)] ?? (isLostConnection(error) ? 'not_ready' : 'internal')
  return new Refusal(code, code === 'busy' ? { retry_after_seconds: busySeconds } : {}, error)
}

/**
 * Whether a connection to the database was lost or could not be opened. While an embedded PostgreSQL restarts, its socket does not exist.
 */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('syscall' in error && error.syscall === 'connect') return true
  return /^Connection terminated|is not queryable$|^timeout exceeded when trying to connect/.test(error.message)
}
