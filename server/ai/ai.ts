// AI connections: which endpoint an owner uses, and how much of it.
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { AiFailure } from '#server/platform/ai/failure.ts'
import type { Connection, TokenUse } from '#server/platform/ai/types.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readToday } from '#server/platform/time/owner-timezone.ts'
import type { AiContext } from './context.ts'
import { findUsedConnection, type UsedConnection } from './used-connection.ts'
import { addUse, deleteReservation, insertReservation, lockReservations, readLimitedTokens } from './usage.store.ts'

/** The connection for one answer of the AI. After the answer has ended, call `countUse` or `release`, also if it failed. */
export type OpenedAi = {
  connection: Connection
  /**
   * Adds to the use of the day, and returns the cost in US dollars, or null if no price is set. Further calls add to the first one.
   * `images`: the number of pictures, if pictures were asked for. Tokens that were not reported are estimated.
   */
  countUse: (use: Use) => Promise<number | null>
  /** The tokens that the owner has left today; Infinity without a limit. */
  remainingTokens: number
  /** Ends an answer for which no request was sent to the endpoint. Nothing is counted. */
  release: () => Promise<void>
}

type Use = TokenUse & { images?: number }

/** A rule of thumb for texts in European languages. */
const charactersPerToken = 4
/** About the number of tokens that endpoints report for a picture of high quality. Many endpoints report none. */
const tokensPerImage = 4000

/**
 * While an answer is being written, this number of tokens counts as used. Otherwise many answers that run at the same time could each use
 * all remaining tokens of the day.
 */
const reservedTokens = 20_000
/** The lifetime of a reservation that is not released. It is longer than any answer may take. */
const maxAnswerMs = 15 * 60 * 1000
/** The time after which a client may ask again when too many answers are being written. */
const retryAfterSeconds = 10

/**
 * Returns the AI connection of the owner for one answer. Throws `ai_off` if there is none, `ai_key_lost` if its key must be entered again,
 * and `ai_limit` if the owner has used the tokens of the day.
 */
export async function openAi(context: AiContext, { owner }: Pick<Caller, 'owner'>): Promise<OpenedAi> {
  const usedConnection = await findUsedConnection(context, owner)
  if (usedConnection === 'off') throw new Refusal('ai_off')
  if (usedConnection === 'key lost') throw new Refusal('ai_key_lost')
  const { maxTokensPerDay } = context.settings.ai
  const needsReservation = usedConnection.isLimited && maxTokensPerDay !== undefined
  const reservation = needsReservation ? await reserve(context, owner, maxTokensPerDay) : undefined
  let reservationId = reservation?.id
  const countUse: OpenedAi['countUse'] = async (use) => {
    const cost = computeCost(usedConnection, use)
    const finishedId = reservationId
    const tokens = sumTokens(use)
    const day = await context.database.read(callerFor(owner), () => readToday(owner, context.now()))
    // not a write of the caller's request, because a request may write only one change set
    await context.database.batch(callerFor(owner), 'Counted the use of AI', () =>
      Promise.all([
        addUse(owner, day, {
          isLimited: usedConnection.isLimited,
          answers: use.images === undefined ? 1 : 0,
          images: use.images ?? 0,
          inputTokens: tokens.input,
          outputTokens: tokens.output,
          cost,
        }),
        finishedId === undefined ? undefined : deleteReservation(owner, finishedId),
      ]),
    )
    reservationId = undefined
    return cost
  }
  const release = async (): Promise<void> => {
    if (reservationId === undefined) return
    const finishedId = reservationId
    reservationId = undefined
    await context.database.batch(callerFor(owner), 'Released tokens of AI', () => deleteReservation(owner, finishedId))
  }
  return { connection: usedConnection.connection, countUse, release, remainingTokens: reservation?.remainingTokens ?? Infinity }
}

/**
 * Runs work that asks the AI once or several times. The work calls `count` with what each answer has used; the sum is stored at the end,
 * also if the work fails. Nothing is counted if the work throws a `Refusal` before its first request to the AI. A `Refusal` whose cause is
 * an `AiFailure` is counted, because a request was sent. `requireTokens` throws `ai_limit` if the answers so far have used the tokens of
 * the day. Throws the refusals of `openAi`, and `ai_failed` with the sentence of an `AiFailure`.
 */
export async function withAi<T>(
  context: AiContext,
  caller: Pick<Caller, 'owner'>,
  work: (connection: Connection, count: (use: Use) => void, requireTokens: () => void) => Promise<T>,
): Promise<T> {
  const { connection, countUse, release, remainingTokens } = await openAi(context, caller)
  const uses: Use[] = []
  const requireTokens = (): void => {
    const { input, output } = sumTokens(addUses(uses))
    if (input + output >= remainingTokens) throw new Refusal('ai_limit')
  }
  let isRefusedBeforeRequest = false
  try {
    return await work(connection, (use) => void uses.push(use), requireTokens)
  } catch (error) {
    isRefusedBeforeRequest = uses.length === 0 && error instanceof Refusal && !(error.cause instanceof AiFailure)
    throw error instanceof AiFailure ? new Refusal('ai_failed', { detail: error.message }, error) : error
  } finally {
    // a stopped answer counts even without tokens, because it had been requested; an answer is not lost because it could not be counted
    const counted = isRefusedBeforeRequest ? release() : countUse(addUses(uses))
    await counted.catch((error: unknown) => process.emitWarning(error instanceof Error ? error : String(error)))
  }
}

/** Adds up what answers have used. A number that no answer has reported stays unknown. */
function addUses(uses: readonly Use[]): Use {
  const sum = (name: keyof Use): number | undefined => {
    const numbers = uses.flatMap((use) => use[name] ?? [])
    return numbers.length === 0 ? undefined : numbers.reduce((total, number) => total + number, 0)
  }
  const images = sum('images')
  const tokens = { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), characters: sum('characters') ?? 0 }
  return { ...tokens, ...(images !== undefined && { images }) }
}

/** Reserves tokens for one answer. */
function reserve({ database, now }: AiContext, owner: string, maxTokensPerDay: number): Promise<{ id: string; remainingTokens: number }> {
  return database.transaction(callerFor(owner), 'Reserved tokens of AI', async () => {
    await lockReservations(owner)
    const { used, reserved } = await readLimitedTokens(owner, now())
    if (used >= maxTokensPerDay) throw new Refusal('ai_limit')
    if (used + reserved >= maxTokensPerDay) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    const id = await insertReservation(owner, now(), new Date(now().getTime() + maxAnswerMs), reservedTokens)
    return { id, remainingTokens: maxTokensPerDay - used }
  })
}

/** Returns the cost in US dollars; null if no price is set or the endpoint reported no tokens. */
function computeCost({ inputPrice, outputPrice }: UsedConnection, use: TokenUse): number | null {
  if (inputPrice === null || outputPrice === null || !hasReport(use)) return null
  return (cleanCount(use.inputTokens) * inputPrice + cleanCount(use.outputTokens) * outputPrice) / 1_000_000
}

const hasReport = ({ inputTokens, outputTokens }: TokenUse): boolean => inputTokens !== undefined || outputTokens !== undefined

/** Returns the reported tokens together with an estimate of the others. */
const sumTokens = (use: Use): { input: number; output: number } => ({
  input: cleanCount(use.inputTokens) + Math.ceil((use.characters ?? 0) / charactersPerToken),
  output: cleanCount(use.outputTokens) + (hasReport(use) ? 0 : (use.images ?? 0) * tokensPerImage),
})

/** Replaces an invalid count by 0 and limits a large one, because endpoints of others may report anything. */
const cleanCount = (count: number | undefined): number =>
  count !== undefined && Number.isSafeInteger(count) && count > 0 ? Math.min(count, 100_000_000) : 0
