import { useQuery } from '@tanstack/react-query'
import { IconCircleX } from '@tabler/icons-react'
import { formatCount } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { AppliedProposal } from './AppliedProposal.tsx'
import { OpenProposal } from './OpenProposal.tsx'
import classes from './ProposalCard.module.css'
import { proposalQuery } from './proposalQuery.ts'

/** The changes that an answer proposes. Nothing is changed before the user applies them. */
export function ProposalCard({ id }: { id: string }) {
  const { data, error, refetch, isFetching } = useQuery(proposalQuery(id))
  if (!data)
    return error ? (
      <FailedState
        title="The proposed changes could not be loaded"
        reason={describeError(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    ) : (
      <div className={classes['waiting']} aria-busy />
    )
  const { proposal } = data
  if (proposal.state === 'open') return <OpenProposal {...data} />
  if (proposal.state === 'applied') return <AppliedProposal {...data} />
  return (
    <p className={classes['discarded']}>
      <IconCircleX size={18} stroke={1.6} aria-hidden />
      {formatCount(proposal.items.length, 'change')} discarded
    </p>
  )
}
