import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { conversationRoutes } from '#contract/assistant.ts'
import { recordKinds, type KindName } from '#contract/kinds.ts'
import type { Proposal, ProposalItem } from '#contract/proposals.ts'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { storeForUndo } from '#web/lib/undo.ts'
import { conversationQuery } from '../conversations/queries.ts'
import classes from './ProposalCard.module.css'

type AllowedAction = Exclude<ProposalItem['action'], 'delete'>

const describeAction: Record<AllowedAction, (plural: string) => string> = {
  create: (plural) => `adding ${plural}`,
  update: (plural) => `changing ${plural}`,
  tag: (plural) => `tagging ${plural}`,
}

/**
 * Lets the user allow the kinds of changes of a proposal for the rest of the conversation, and take that back. Deletions always need a
 * confirmation, so a proposal with one has no such choice.
 */
export function AllowChanges({ proposal }: { proposal: Proposal }) {
  const { data: conversation } = useQuery(conversationQuery(proposal.conversation_id))
  const change = useMutation({
    mutationFn: (allowed: { allowed_changes: `${AllowedAction} ${KindName}`[]; version: number }) =>
      trackWrite(callForChange(conversationRoutes.update, { params: { id: proposal.conversation_id }, body: allowed })),
    onSuccess: ({ response, changeId }) => {
      storeForUndo(changeId, 'Allowed changes of the assistant')
      queries.setQueryData(conversationQuery(response.id).queryKey, response)
    },
    onError: (error) => {
      toastError(error)
      void refreshTables([recordKinds.conversation.table])
    },
  })
  const kinds = listKinds(proposal.items)
  if (!conversation || !kinds || kinds.length === 0) return null
  const { version, allowed_changes: allowed } = conversation
  const names = kinds.map(({ action, kind }) => `${action} ${kind}` as const)
  const areAllowed = names.every((name) => allowed.includes(name))
  if (!areAllowed && proposal.state !== 'open') return null
  const description = describeKinds(kinds)
  const others = allowed.flatMap((text) => toAllowedChange(text) ?? []).filter((each) => !names.includes(each))
  return (
    <div className={classes['allow']}>
      {areAllowed && (
        <span>
          {description} {kinds.length === 1 ? 'needs' : 'need'} no confirmation in this conversation.
        </span>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        loading={change.isPending}
        onClick={() => change.mutate({ allowed_changes: areAllowed ? others : [...others, ...names], version })}
      >
        {areAllowed ? 'Ask again' : `Always allow ${description} in this conversation`}
      </Button>
    </div>
  )
}

const maxNamedKinds = 2

/** "adding tasks and changing deals"; more than two kinds are not named. */
function describeKinds(kinds: readonly AllowedKind[]): string {
  if (kinds.length > maxNamedKinds) return `these ${kinds.length} kinds of changes`
  return kinds.map(({ action, kind }) => describeAction[action](recordKinds[kind].plural)).join(' and ')
}

type AllowedKind = { action: AllowedAction; kind: KindName }

/** Returns the kinds of changes of a proposal; undefined if it deletes something. */
function listKinds(items: readonly ProposalItem[]): AllowedKind[] | undefined {
  const kinds = new Map<string, AllowedKind>()
  for (const { action, kind } of items) {
    if (action === 'delete') return undefined
    kinds.set(`${action} ${kind}`, { action, kind })
  }
  return [...kinds.values()]
}

const allowedActions: readonly AllowedAction[] = ['create', 'update', 'tag']

function toAllowedChange(text: string): `${AllowedAction} ${KindName}` | undefined {
  const [actionName, ...kindWords] = text.split(' ')
  const kindName = kindWords.join(' ')
  const action = allowedActions.find((each) => each === actionName)
  const kind = Object.values(recordKinds).find(({ singular }) => singular === kindName)?.singular
  return action && kind && `${action} ${kind}`
}
