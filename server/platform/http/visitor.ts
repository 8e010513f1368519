import type { FastifyRequest } from 'fastify'
import { formatActor } from '#contract/actors.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { networkOf } from './limits.ts'
import type { Identity } from '#server/platform/identity.ts'

/**
 * An identity without an owner, for the SQL functions that look up sessions, emails and reset links. Row security hides all rows from it.
 */
export const anonymous: Identity = { owner: '', actor: formatActor('visitor'), scopes: [], hasAllRights: false }

/** The identity of a visitor of a page of this owner, who may call only the routes for visitors. */
export const visitorOfOwner = (owner: string): Identity => ({ ...anonymous, owner })

/** A caller without an owner. The visitors of one network wait for each other, and the networks take turns. */
export type Visitor = Caller & { queueName: string }

/** Returns the caller of a request whose owner is not known yet. */
export const visitorOf = ({ ip }: FastifyRequest): Visitor => ({ ...anonymous, queueName: `network ${networkOf(ip)}` })
