// Protects the forms of public pages from programs and floods, without a third party (docs/decisions/0030-protection-of-public-pages.md).
import { createHash } from 'node:crypto'
import type { Challenge } from 'altcha-lib'
import type pg from 'pg'
import { minFillSeconds, minFillSecondsWithoutScript } from '#contract/visitorForms.ts'
import type { VisitorFields } from '#contract/visitors.ts'
import { requireTrue, unmetReason } from '#server/platform/database/requirement.ts'
import { listCountedNetworks, type Attempts, type LimitedCounter } from '#server/platform/http/limits.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createPageTokens, type PageToken, type VisitorPage } from './page-token.ts'
import { createProofOfWork } from './proof-of-work.ts'
import { createViewCounts } from './view-counts.ts'

/** Why a request looks like that of a program. Features store such a request as spam, or refuse it with a message that does not say why. */
type Suspicion = 'trap' | 'too_fast' | 'too_many_without_script'

/** A request that is within the limits. `pageVersion` is the text with which the page was opened. */
export type Visit = {
  pageVersion: string
  suspicion: Suspicion | undefined
  /**
   * Must be called in the transaction that writes for the visitor. Throws `visit_refused` if another write has used the page already, also
   * in another process.
   */
  use: () => Promise<void>
}

type VisitorInput = VisitorFields & {
  /** The network address of the visitor. Forwarded headers count only if trusted proxies sent them. */
  ip: string
  /** The email that the visitor entered. The number of requests with the same email is limited. */
  email?: string | undefined
}

export type Visitors = {
  /**
   * Returns the parts of a page with which its visitor can write once: the token, and the challenge for the proof of work. `check` returns
   * `pageVersion` with the visit. `earlierToken`: an unused token of an earlier view of the page, which is returned again if it is still
   * valid for this version.
   */
  openPage: (page: VisitorPage, ip: string, pageVersion?: string, earlierToken?: string) => { token: string; challenge: Challenge }
  /** Checks a request of a visitor. Throws `visit_refused`, `page_expired` or `too_many_requests`. */
  check: (page: VisitorPage, input: VisitorInput) => Promise<Visit>
  /** Counts a request that changes nothing, because its page has written before. Throws `too_many_requests`. */
  countRepeat: (ip: string) => Promise<void>
  /** Counts the bytes of files that a visitor sends, for the limit of the network. Throws `too_many_requests`. */
  countBytes: (ip: string, bytes: number) => Promise<void>
  /** Counts a mail that a visitor causes without a page, for the limit of its receiver. Throws `too_many_requests`. */
  countMail: (owner: string, email: string) => Promise<void>
}

const quarterHour = 15 * 60
const hour = 60 * 60

/** The maximum numbers of requests in 15 minutes. All people at a trade fair or in an office may have the same address. */
const limitsPerQuarterHour = { network: 60, page: 600, email: 10, owner: 2000 }
/** The maximum number of repeated requests of a network in 15 minutes. */
const maxRepeatsPerQuarterHour = 120
/** The maximum size of all files of a network in an hour, so that a program cannot soon fill the space of an owner. */
const maxMebibytesPerHour = 200
/** The maximum numbers of requests without a proof in an hour, above which they are suspicious. */
const limitsWithoutScriptPerHour = { network: 3, page: 30 }

/** Creates the checks of visitors. `attempts` counts their requests in the database. */
export function createVisitors({
  installationKey,
  attempts,
  now,
}: {
  installationKey: string
  attempts: Attempts
  now: () => Date
}): Visitors {
  const tokens = createPageTokens(installationKey, now)
  const proofs = createProofOfWork(installationKey)
  const views = createViewCounts(now)

  const counterOf = (limit: number, ...key: string[]): LimitedCounter => ({ key: ['visitors', ...key], windowSeconds: quarterHour, limit })

  const emailCounter = (owner: string, email: string, prefix: readonly string[] = []): LimitedCounter =>
    counterOf(limitsPerQuarterHour.email, ...prefix, 'email', owner, email.trim().toLowerCase())

  /**
   * Counts a request for its network, email, page and owner. Except for the network, suspicious requests have separate counters, so that
   * programs do not use up the limits of people.
   */
  function countVisit({ owner, kind, id }: VisitorPage, { ip, email }: VisitorInput, isSuspicious: boolean): Promise<void> {
    const prefix = isSuspicious ? ['suspicious'] : []
    return attempts.count(
      ...listCountedNetworks(ip).map(({ name, limitFactor }) => counterOf(limitsPerQuarterHour.network * limitFactor, 'network', name)),
      ...(email ? [emailCounter(owner, email, prefix)] : []),
      counterOf(limitsPerQuarterHour.page, ...prefix, 'page', kind, id),
      counterOf(limitsPerQuarterHour.owner, ...prefix, 'owner', owner),
    )
  }

  /** Counts a request without a proof. Returns whether its network or its page has more of them than allowed. */
  async function exceedsLimitWithoutScript({ kind, id }: VisitorPage, ip: string): Promise<boolean> {
    const add = (...key: string[]): Promise<number> => attempts.add({ key: ['visitors without script', ...key], windowSeconds: hour })
    const networks = listCountedNetworks(ip)
    const counts = await Promise.all(networks.map(({ name }) => add('network', name)))
    const isNetworkAbove = networks.some(
      ({ limitFactor }, index) => (counts[index] ?? 0) > limitsWithoutScriptPerHour.network * limitFactor,
    )
    return isNetworkAbove || (await add('page', kind, id)) > limitsWithoutScriptPerHour.page
  }

  async function findSuspicion(page: VisitorPage, token: PageToken, input: VisitorInput): Promise<Suspicion | undefined> {
    const isProven = input.proof !== undefined
    const fillSeconds = (now().getTime() - token.issuedAt.getTime()) / 1000
    if (input.subject_line !== '') return 'trap'
    if (fillSeconds < (isProven ? minFillSeconds : minFillSecondsWithoutScript)) return 'too_fast'
    if (!isProven && (await exceedsLimitWithoutScript(page, input.ip))) return 'too_many_without_script'
    return undefined
  }

  /** Returns the token with its id if it is valid for this page and version. */
  function findReusable(page: VisitorPage, pageVersion: string, token: string): { id: string; token: string } | undefined {
    try {
      const read = tokens.read(page, token)
      return read.pageVersion === pageVersion ? { id: read.id, token } : undefined
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  return {
    countBytes: async (ip, bytes) => {
      const counters = listCountedNetworks(ip).map(({ name, limitFactor }): LimitedCounter => ({
        key: ['files of visitors', name],
        windowSeconds: hour,
        limit: maxMebibytesPerHour * limitFactor,
      }))
      for (let countedBytes = 0; countedBytes < bytes; countedBytes += 1024 ** 2) await attempts.count(...counters)
    },
    countRepeat: (ip) =>
      attempts.count(
        ...listCountedNetworks(ip).map(({ name, limitFactor }) => counterOf(maxRepeatsPerQuarterHour * limitFactor, 'repeats', name)),
      ),
    countMail: (owner, email) => attempts.count(emailCounter(owner, email)),
    openPage: (page, ip, pageVersion = '', earlierToken = '') => {
      const { id, token } = findReusable(page, pageVersion, earlierToken) ?? tokens.issue(page, pageVersion)
      return { token, challenge: proofs.createChallenge(id, views.count(page, ip)) }
    },
    check: async (page, input) => {
      const token = tokens.read(page, input.page_token)
      const isAcceptable = input.proof === undefined ? input.without_script : await proofs.verify(token.id, input.proof)
      if (!isAcceptable) throw new Refusal('visit_refused')
      const suspicion = await findSuspicion(page, token, input)
      await countVisit(page, input, suspicion !== undefined)
      return { pageVersion: token.pageVersion, suspicion, use: () => useToken(token) }
    },
  }
}

const unusedToken = 'unused page token'

/**
 * Whether a batch failed because its page was used before. The error comes from `Visit.use`, or is the error of PostgreSQL behind it,
 * with which all other statements of the batch are rejected.
 */
export const isPageUsed = (error: unknown): boolean =>
  unmetReason(error) === unusedToken || (error instanceof Refusal && unmetReason(error.cause) === unusedToken)

/** Marks the token as used, in the open transaction. A concurrent use waits until that transaction has ended. */
async function useToken({ id, expiresAt }: PageToken): Promise<void> {
  const hash = createHash('sha256').update(id).digest()
  try {
    await requireTrue({ condition: 'app.use_page_token($1, $2)', values: [hash, expiresAt], reason: unusedToken })
  } catch (error) {
    throw isPageUsed(error) ? new Refusal('visit_refused', {}, error) : error
  }
}

/** Deletes the used tokens that have expired. `tableOwner` connects as the role that owns the tables. */
export async function deletePastPageTokens(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query('delete from used_page_tokens where expires_at < $1', [now])
}
