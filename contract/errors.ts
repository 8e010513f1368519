import * as z from 'zod/mini'

/** All errors of requests: code, HTTP status, and the sentence that is shown if the server has no more precise sentence. */
export const errors = {
  malformed: [400, 'The request could not be read.'],
  not_signed_in: [401, 'Please sign in.'],
  key_unknown: [401, 'This API key is not valid. It may have expired or been deleted.'],
  wrong_credentials: [401, 'Invalid login credentials'],
  foreign_origin: [403, 'This request came from another website.'],
  scope_missing: [403, 'This key does not have the scope for that.'],
  wrong_password: [403, 'That is not your current password.'],
  sign_up_closed: [403, 'Sign-up is closed on this server. Ask its operator to allow new accounts.'],
  not_found: [404, 'There is nothing here, or it is not yours.'],
  email_taken: [409, 'An account with this email exists already. Sign in instead.'],
  ai_off: [409, 'No AI is connected. Connect one on the account page, or ask the operator of this server.'],
  ai_key_lost: [409, 'The key of your AI connection can no longer be read. Enter it again on the account page.'],
  answer_running: [409, 'The assistant is still writing in this conversation. Wait until it has finished, or stop it.'],
  proposal_closed: [409, 'This proposal was applied or discarded already.'],
  import_started: [409, 'This import was started already.'],
  import_running: [409, 'This import is running. Stop it first.'],
  page_expired: [409, 'This page was open for too long. Please send it again.'],
  visit_refused: [409, 'This could not be sent. Please reload the page and try again.'],
  form_closed: [410, 'This form no longer takes answers.'],
  duplicate: [409, 'This seems to be here already.'],
  slot_taken: [409, 'This time has just been taken. Please choose another.'],
  conflict: [409, 'This was changed somewhere else while you were editing.'],
  already_undone: [409, 'This has been undone already.'],
  undo_blocked: [409, 'This cannot come back: something else has taken its place.'],
  mail_off: [409, 'This server sends no mail. Ask its operator for a password link.'],
  nothing_left: [410, 'There is nothing left to undo. Records that were erased for good cannot come back.'],
  link_expired: [410, 'This link is no longer valid. Ask for a new one.'],
  too_old: [410, 'This happened more than 30 days ago and can no longer be undone.'],
  changed_since: [412, 'The file has changed since.'],
  too_many: [413, 'These are too many at once. Narrow the filter and try again.'],
  too_large: [413, 'This is larger than the server takes.'],
  quota_exceeded: [413, 'Your files would need more space than this server gives to an account. Delete some, and empty the trash.'],
  record_quota_exceeded: [
    413,
    'Your records and their history need more space than this server gives to an account. Delete some, or erase the history on the account page.',
  ],
  range_not_satisfiable: [416, 'The file does not have this part.'],
  unsupported_media_type: [415, 'The server takes application/json here.'],
  invalid: [422, 'Some of this needs another look.'],
  import_failed: [422, 'Failed to import contacts'],
  request_reused: [422, 'This Idempotency-Key was already used for another request.'],
  too_many_requests: [429, 'Too many tries. Please wait a moment.'],
  ai_limit: [429, 'The AI has been used up to its limit for today. It works again tomorrow.'],
  ai_failed: [502, 'The AI service did not give an answer. Please try again.'],
  // here "answer" is the HTTP response, which has failed after the change was made; in `ai_failed` it is that of the AI
  answer_failed: [500, 'Your change was made, but we could not show its result. Reload to see it.'],
  outcome_unknown: [500, 'Something went wrong on our side. Check whether it was done before you try again.'],
  bytes_lost: [500, 'The server no longer has the content of this file. Ask its operator.'],
  storage_refused: [500, 'The store of the files refuses this server. Ask its operator. Nothing was stored.'],
  internal: [500, 'Something went wrong on our side. Nothing was changed.'],
  busy: [503, 'Another change is still running. Nothing was changed. Please try again in a moment.'],
  overloaded: [503, 'The server has too much to do at once. Nothing was changed. Please try again in a moment.'],
  not_ready: [503, 'The server is busy or starting. Please try again.'],
  disk_low: [507, 'The server is short of disk space, so large changes and undo have to wait. Ask its operator. Nothing was changed.'],
  disk_full: [507, 'The server has no disk space left. Ask its operator. Nothing was changed.'],
  storage_full: [507, 'The server has no space left for files. Ask its operator. Nothing was stored.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

export type ErrorCode = keyof typeof errors

/** A field that both the client and somebody else changed since the client read the record. */
const FieldConflict = z.object({ field: z.string(), yours: z.unknown(), theirs: z.unknown() })

/**
 * The conflict of an edit: the fields, the actor (as in `Change`) and time of the last change, and the version to send with the next edit.
 */
const conflict = z.optional(
  z.object({
    version: z.int(),
    fields: z.array(FieldConflict),
    actor: z.string(),
    actor_name: z.nullable(z.string()),
    at: z.iso.datetime({ offset: true }),
  }),
)
/** The existing records that look the same as a new one. */
const matches = z.optional(z.array(z.object({ id: z.uuid(), name: z.string(), email: z.string(), phone: z.string() })))

/** The body of every error response (RFC 9457, `application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** A key of `errors`. Browsers do not load the list `errors`, so the schema accepts any text. */
  code: z.custom<ErrorCode>((code) => typeof code === 'string'),
  detail: z.string(),
  request_id: z.string(),
  /** A sentence for each invalid field, by the field's path (`email`, `ids.0`). */
  fields: z.optional(z.record(z.string(), z.string())),
  /** For the code `conflict`. */
  conflict,
  /** For the code `duplicate`. */
  matches,
  /** For the code `slot_taken`: the nearest free times, with the texts to show. */
  nearest: z.optional(z.array(z.object({ start_time: z.string(), label: z.string() }))),
  /** For the application of a proposal: the conflict and the matches of each refused change, by the `key` of its `ProposalItem`. */
  items: z.optional(z.record(z.string(), z.object({ conflict, matches }))),
  /** For the codes `too_many_requests`, `busy` and `overloaded`: the number of seconds to wait. */
  retry_after_seconds: z.optional(z.int()),
})
export type Problem = z.infer<typeof Problem>
/** The optional fields of a problem. `detail` is a sentence that is more precise than that of the code. */
export type ProblemExtras = Pick<Problem, 'fields' | 'conflict' | 'matches' | 'nearest' | 'items' | 'retry_after_seconds'> &
  Partial<Pick<Problem, 'detail'>>
