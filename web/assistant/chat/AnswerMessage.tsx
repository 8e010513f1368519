import { ActionIcon, Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMemo } from 'react'
import type { Message } from '#contract/assistant.ts'
import { formatCount, formatNumber } from '#web/lib/format.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useAnswer } from '../answers/followAnswer.ts'
import { retryAnswer } from '../answers/send.ts'
import { createTitleFinder } from '../markdown/recordLinks.ts'
import { AnswerText, ProposalCard } from './answerParts.tsx'
import { AnswerFiles } from './AnswerFiles.tsx'
import { AnswerSteps } from './AnswerSteps.tsx'
import { focusMessages } from './focusMessages.ts'
import classes from './Message.module.css'
import { splitAtSteps } from './segments.ts'

type AnswerMessageProps = {
  answer: Message
  /** False until the server has stored the message. */
  isStored: boolean
  /** False while an answer is being written. */
  canRetry: boolean
  /** The last answer always shows its buttons. */
  isLast: boolean
}

/** An answer of the assistant, whose text grows while it is being written. */
export function AnswerMessage({ answer: stored, isStored, canRetry, isLast }: AnswerMessageProps) {
  const { answer, isConnectionLost } = useAnswer(stored, isStored)
  const { content, steps, files, proposal_id: proposalId } = answer
  const isGrowing = answer.state === 'streaming'
  const segments = splitAtSteps(content, steps)
  const findTitles = useMemo(() => createTitleFinder(steps.flatMap(({ records }) => records)), [steps])
  const hasTextAtEnd = (segments.at(-1)?.text ?? '') !== ''
  return (
    <article className={classes['answer']} aria-label="Assistant" aria-busy={isGrowing}>
      {segments.map(({ at, steps: segmentSteps, text }, index) => (
        <div key={at} className={classes['segment']}>
          {segmentSteps.length > 0 && <AnswerSteps steps={segmentSteps} />}
          {text !== '' && <AnswerText text={text} findTitles={findTitles} isGrowing={isGrowing && index === segments.length - 1} />}
        </div>
      ))}
      {isGrowing && !hasTextAtEnd && <AnswerText text="" findTitles={findTitles} isGrowing />}
      {isConnectionLost && <p className={classes['remark']}>The connection is lost. Connecting again…</p>}
      {files.length > 0 && <AnswerFiles files={files} />}
      {proposalId && <ProposalCard id={proposalId} />}
      {!isGrowing && (
        <>
          <AnswerProblem answer={answer} canRetry={canRetry} />
          <AnswerButtons answer={answer} canRetry={canRetry} isLast={isLast} />
        </>
      )}
    </article>
  )
}

function retry(answer: Message): void {
  focusMessages()
  void retryAnswer(answer)
}

/** The sentences for answers that are not complete, if the server has none. */
const stateSentences: Readonly<Partial<Record<Message['state'], string>>> = {
  stopped: 'You stopped this answer.',
  interrupted: 'This answer broke off.',
  cut: 'This answer was too long for the model and was cut off.',
  too_many_steps: 'The assistant looked up too much for one answer.',
  failed: 'This answer failed.',
}

/** Says why an answer is not complete, and offers to write it again. */
function AnswerProblem({ answer, canRetry }: { answer: Message; canRetry: boolean }) {
  const sentence = answer.problem || stateSentences[answer.state]
  if (!sentence) return null
  return (
    <div className={classes['problem']}>
      <p>{sentence}</p>
      <Button variant="default" leftSection={<IconRefresh size={16} stroke={1.75} />} disabled={!canRetry} onClick={() => retry(answer)}>
        Retry
      </Button>
    </div>
  )
}

/** The buttons below an answer, with what it has cost. They are pale until the pointer or the focus is in the answer. */
function AnswerButtons({ answer, canRetry, isLast }: { answer: Message; canRetry: boolean; isLast: boolean }) {
  return (
    <div className={classes['tools']} data-visible={isLast || undefined}>
      <CopyButton text={answer.content} label="Copy answer" size={28} />
      <Tooltip label="Write this answer again">
        <ActionIcon size={28} aria-label="Write this answer again" disabled={!canRetry} onClick={() => retry(answer)}>
          <IconRefresh size={16} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <span className={classes['use']}>
        <RelativeTime at={answer.created_at} />
        {describeUse(answer)}
      </span>
    </div>
  )
}

/** " · 1,204 tokens · $0.0042"; empty if the endpoint did not report its use. */
function describeUse({ input_tokens: input, output_tokens: output, cost }: Message): string {
  const tokens = input === null && output === null ? '' : ` · ${formatCount((input ?? 0) + (output ?? 0), 'token')}`
  return cost === null ? tokens : `${tokens} · ${formatCost(cost)}`
}

/** Prices of models are in US dollars. */
const formatCost = (cost: number): string =>
  formatNumber(cost, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumSignificantDigits: 2 })
