import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { createSigner } from '#server/platform/security/signer.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** A page to which visitors write, such as a form: the owner of its workspace, the kind of the page, and the id of its record. */
export type VisitorPage = { owner: string; kind: string; id: string }

/**
 * The content of a page token: an id that no other token has, the time at which the server made the page, and the time at which the token
 * expires. `pageVersion` is a text of the feature, such as the version of the page's fields; empty by default.
 */
export type PageToken = { id: string; issuedAt: Date; expiresAt: Date; pageVersion: string }

/** Page tokens are signed with the key of the installation, so that all processes accept them, also after a restart. */
export type PageTokens = {
  issue: (page: VisitorPage, pageVersion?: string) => { id: string; token: string }
  /** Throws `visit_refused` for a token that was altered or belongs to another page, and `page_expired` for an old one. */
  read: (page: VisitorPage, token: string) => PageToken
}

/** A page may be filled in for a day. */
const lifeMs = 24 * 60 * 60_000

const Content = z.tuple([z.string(), z.string(), z.string(), z.number(), z.string()])

/** Creates the functions for page tokens. */
export function createPageTokens(installationKey: string, now: () => Date): PageTokens {
  const signer = createSigner(installationKey, 'page of visitors')
  return {
    issue: ({ kind, id: pageId }, pageVersion = '') => {
      const issuedAt = now().getTime()
      const id = randomUUID()
      return { id, token: signer.sign(JSON.stringify([kind, pageId, id, issuedAt, pageVersion]), new Date(issuedAt + lifeMs)) }
    },
    read: (page, token) => {
      const verification = signer.verify(token, now())
      if (verification === 'unknown') throw new Refusal('visit_refused')
      if (verification === 'expired') throw new Refusal('page_expired')
      const [kind, pageId, id, issuedAt, pageVersion] = Content.parse(JSON.parse(verification.text))
      if (kind !== page.kind || pageId !== page.id) throw new Refusal('visit_refused')
      return { id, issuedAt: new Date(issuedAt), expiresAt: new Date(issuedAt + lifeMs), pageVersion }
    },
  }
}
