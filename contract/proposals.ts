import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { kindNames } from './kinds.ts'
import { Instant } from './fields.ts'
import { Version } from './records.ts'
import { defineRoutes } from './route.ts'

/** One change of a proposal. */
export const ProposalItem = z.object({
  key: z.string(),
  action: z.enum(['create', 'update', 'delete', 'tag']),
  kind: z.enum(kindNames),
  /** Null for a new record, until it was added. */
  id: z.nullable(z.uuid()),
  /** The version of the record at which the change was proposed; null for a new record. */
  version: z.nullable(z.int()),
  title: z.string(),
  /**
   * The values that the change sets, by field; for `tag` the fields `add` and `remove` with lists of tags. A link to a new record of the
   * same proposal is `new:` and the key of its change.
   */
  fields: z.record(z.string(), z.unknown()),
  /** The values before the change, of the same fields; for `tag` the tags; for `delete` all fields; empty for a new record. */
  before: z.record(z.string(), z.unknown()),
  /** The titles of the records to which link fields refer, before and after, by id or `new:` and key. */
  link_titles: z.record(z.string(), z.string()),
  /** `done`: applied. `left_out`: the user has unticked it. */
  decision: z.enum(['open', 'done', 'left_out']),
})
export type ProposalItem = z.infer<typeof ProposalItem>

export const Proposal = z.object({
  id: z.uuid(),
  conversation_id: z.uuid(),
  created_at: Instant,
  state: z.enum(['open', 'applied', 'discarded']),
  items: z.array(ProposalItem),
  /** The change in the history, for Undo. */
  change_id: z.nullable(z.uuid()),
})
export type Proposal = z.infer<typeof Proposal>

/** The maximum number of changes in a proposal. */
export const maxProposalItems = 200

const Id = z.strictObject({ id: z.uuid() })

export const proposalRoutes = defineRoutes({
  get: {
    method: 'GET',
    path: '/api/proposals/{id}',
    summary: 'The changes that the assistant proposes',
    caller: 'user',
    changes: 'nothing',
    params: Id,
    out: Proposal,
    example: { params: { id: exampleId('proposal') } },
  },
  apply: {
    method: 'POST',
    path: '/api/proposals/{id}/apply',
    /**
     * The property `fields` of an error names the field of a change as `items.<key>.<field>`. Its property `items` has the conflict and the
     * matches of each refused change, by key.
     */
    summary: 'Make the ticked changes of a proposal as one change, or none of them',
    caller: 'user',
    isForSessionsOnly: true,
    changes: 'journaled',
    params: Id,
    body: z.strictObject({
      /** The ticked changes. `fields`: the fields as the user has edited them; they replace all proposed fields of the change. */
      items: z
        .array(
          z.strictObject({
            key: z.string().check(z.maxLength(50)),
            fields: z.optional(z.record(z.string(), z.unknown())),
            /** After a `conflict`: the version of the record that the error has named and the user has seen. */
            version: Version,
            /** Adds the record although a similar one exists. */
            allow_duplicate: z.optional(z.boolean()),
          }),
        )
        .check(z.minLength(1, 'Tick a change'), z.maxLength(maxProposalItems)),
    }),
    out: Proposal,
    responseIfRepeated: { fromRoute: 'get' },
    errors: ['proposal_closed', 'conflict', 'duplicate', 'not_found'],
    example: { params: { id: exampleId('proposal') }, body: { items: [{ key: 'a' }] } },
  },
  discard: {
    method: 'POST',
    path: '/api/proposals/{id}/discard',
    summary: 'Refuse the changes of a proposal',
    caller: 'user',
    isForSessionsOnly: true,
    changes: { noUndo: 'A discarded proposal has changed nothing that could be undone.' },
    params: Id,
    out: Proposal,
    errors: ['proposal_closed'],
    example: { params: { id: exampleId('proposal') } },
  },
})
