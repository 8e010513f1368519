import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { Step } from '#contract/assistant.ts'
import { findKindDisplay } from '#web/lib/features.ts'
import { formatNumber } from '#web/lib/format.ts'
import { PageLink, RecordLink } from '../markdown/RecordLink.tsx'
import { makeListTarget } from '../markdown/recordLinks.ts'
import classes from './AnswerSteps.module.css'

/** A long row of steps shows only its last ones, until the user opens it. */
const maxShownSteps = 4

/** What the assistant did before it wrote the text below, with links to the records that it found. */
export function AnswerSteps({ steps }: { steps: readonly Step[] }) {
  const [isOpen, setOpen] = useState(false)
  const hiddenCount = isOpen || steps.length <= maxShownSteps ? 0 : steps.length - maxShownSteps + 1
  return (
    <ul className={classes['steps']} aria-label="Steps">
      {hiddenCount > 0 && (
        <li>
          <button type="button" className={classes['more']} onClick={() => setOpen(true)}>
            {formatNumber(hiddenCount)} earlier steps
          </button>
        </li>
      )}
      {steps.slice(hiddenCount).map((step, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- steps have no ids and keep their position
        <StepLine key={hiddenCount + index} step={step} />
      ))}
    </ul>
  )
}

/** The titles of a few records are in the line; more are found through the link to their list. */
const maxTitles = 3

function StepLine({ step: { text, count, kind, list, records, is_failed: isFailed } }: { step: Step }) {
  const Icon = isFailed ? IconAlertTriangle : ((kind && findKindDisplay(kind)?.icon) ?? IconSearch)
  const titledRecords = records.filter(({ title }) => title !== '' && !text.includes(title))
  return (
    <li className={classes['step']} data-failed={isFailed || undefined}>
      <Icon size={16} stroke={1.6} />
      <span dir="auto">
        {isFailed && <VisuallyHidden component="span">Failed: </VisuallyHidden>}
        <StepText text={text} count={count} list={list} />
        {titledRecords.length <= maxTitles &&
          titledRecords.map((record) => (
            <span key={record.id}>
              {' · '}
              <RecordLink target={{ type: 'record', ...record }}>{record.title}</RecordLink>
            </span>
          ))}
      </span>
    </li>
  )
}

const separator = ' · '

/** The text of a step, whose count is a link to the records that were counted. A text without a count is the link. */
function StepText({ text, count, list }: Pick<Step, 'text' | 'count' | 'list'>) {
  const target = list && makeListTarget(list)
  if (target?.type !== 'list' || count === 0) return text
  const start = text.includes(separator) ? text.lastIndexOf(separator) + separator.length : 0
  return (
    <>
      {text.slice(0, start)}
      <PageLink address={target.address}>{text.slice(start)}</PageLink>
    </>
  )
}
