import { Button, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp, IconArrowForwardUp, IconPlayerStop } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { undoDays } from '#contract/changes.ts'
import type { Import } from '#contract/imports.ts'
import { capitalise, formatCount, formatNumber, formatShortDay, getDayOf } from '#web/lib/format.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { NewestImports } from '../history/NewestImports.tsx'
import { useRedoImport, useStopImport, useUndoImport } from '../history/importActions.ts'
import { importNouns } from '../kinds.ts'
import { describeProgress } from './describeImport.ts'
import { getListLink } from './listOfImport.ts'
import { RowReports } from './RowReports.tsx'
import classes from './ResultStep.module.css'

type ResultStepProps = {
  details: Import
  /** The heading gets the focus, because the button that started the import is gone. */
  takesFocus: boolean
}

/** The progress of an import, then its result with the number of rows of each outcome. */
export function ResultStep({ details, takesFocus }: ResultStepProps) {
  const isRunning = details.status === 'running'
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  return (
    <div className={classes['split']}>
      {/* a scrolling area must be reachable with the keyboard */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={classes['main']} aria-label={isRunning ? 'Progress' : 'Result'} tabIndex={0}>
        <div className={classes['content']}>
          <h2 ref={heading} className={classes['title']} tabIndex={-1}>
            {getHeading(details)}
          </h2>
          <Subtitle details={details} />
          {details.problem && (
            <p className={classes['problem']}>
              <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
              {details.problem}
            </p>
          )}
          {isRunning && <Progress details={details} />}
          {!isRunning && details.rows_done > 0 && <Bar details={details} />}
          <Counts details={details} />
          <Buttons details={details} />
          <RowReports details={details} />
        </div>
      </section>
      <aside className={classes['aside']} aria-label="Imports">
        <NewestImports currentId={details.id} />
      </aside>
      <VisuallyHidden component="output">{isRunning ? 'The import is running' : getHeading(details)}</VisuallyHidden>
    </div>
  )
}

function getHeading(details: Import): string {
  const { kind, status, created, updated, skipped, rows_total: total, rows_done: done, undone, kept } = details
  if (status === 'running') return `Importing ${describeProgress(details)}`
  if (status === 'finished' && done === 0) return 'This file has no rows'
  if (status === 'finished' && skipped === done) return `Nothing to import: ${formatCount(done, 'row')} skipped`
  const imported = created + updated
  const heading =
    total === null && done === 0
      ? 'nothing was imported'
      : `${formatNumber(imported)} of ${formatCount(total ?? done, 'row')} ${imported === 1 ? 'is' : 'are'} in`
  const { singular, plural } = importNouns[kind]
  if (undone) return `This import is undone${kept > 0 ? `, ${formatCount(kept, singular, plural)} kept` : ''}`
  if (status === 'failed') return `The import stopped: ${heading}`
  return status === 'stopped' ? `Stopped: ${heading}` : heading
}

function Subtitle({ details: { kind, started_at: startedAt, finished_at: finishedAt, created_at: createdAt } }: { details: Import }) {
  const seconds = startedAt && finishedAt ? Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1000) : 0
  return (
    <p className={classes['subtitle']}>
      {capitalise(importNouns[kind].plural)} · <RelativeTime at={startedAt ?? createdAt} />
      {finishedAt && ` · took ${formatDuration(seconds)}`}
    </p>
  )
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, seconds)} s`
  return `${formatNumber(Math.round(seconds / 60))} min`
}

function Progress({ details }: { details: Import }) {
  const { rows_done: done, rows_total: total } = details
  return (
    <>
      <progress className={classes['progress']} aria-label="Imported rows" max={total ?? 1} value={total === null ? undefined : done} />
      <p className={classes['hint']}>The import continues if you leave or close this page.</p>
    </>
  )
}

const outcomes = [
  { name: 'created', label: 'Created' },
  { name: 'updated', label: 'Updated' },
  { name: 'skipped', label: 'Skipped' },
  { name: 'failed', label: 'Failed' },
] as const

/** The result as a bar with a part for each outcome. The counts below it say the same in words. */
const Bar = ({ details }: { details: Import }) => (
  <div className={classes['bar']} aria-hidden>
    {outcomes.map(({ name }) => details[name] > 0 && <span key={name} data-part={name} style={{ flexGrow: details[name] }} />)}
    {countLeftOut(details) > 0 && <span data-part="leftOut" style={{ flexGrow: countLeftOut(details) }} />}
  </div>
)

/** The number of rows that were not read, because the import stopped before them. */
const countLeftOut = ({ status, rows_done: done, rows_total: total }: Import): number =>
  status === 'running' || total === null ? 0 : total - done

function Counts({ details }: { details: Import }) {
  const exception = details.kept > 0 ? ', except those kept' : ''
  const explanations = {
    created: details.undone ? `taken back${exception}` : `new ${importNouns[details.kind].plural}`,
    updated: details.undone ? `as they were before${exception}` : 'were there, or in an earlier row',
    skipped: details.skipped > 0 ? 'see below' : '',
    failed: details.failed > 0 ? 'see below' : '',
  }
  return (
    <dl className={classes['counts']}>
      {outcomes.map(({ name, label }) => (
        <Count key={name} part={name} label={label} explanation={explanations[name]} number={details[name]} />
      ))}
      {countLeftOut(details) > 0 && <Count part="leftOut" label="Left out" explanation="after the stop" number={countLeftOut(details)} />}
      {/* of records and not of rows, so it is no part of the bar and has no color */}
      {details.kept > 0 && <Count part="kept" label="Kept" explanation="edited since, or in use" number={details.kept} />}
    </dl>
  )
}

type CountProps = { part: string; label: string; explanation: string; number: number }

const Count = ({ part, label, explanation, number }: CountProps) => (
  <div>
    <dt>
      <span className={classes['dot']} data-part={part} aria-hidden />
      {label}
    </dt>
    <dd className={classes['explanation']}>{explanation}</dd>
    <dd className={classes['number']}>{formatNumber(number)}</dd>
  </div>
)

function Buttons({ details }: { details: Import }) {
  const { kind, status, created, updated, undo_id: undoId, redo_id: redoId, undone } = details
  const undo = useUndoImport()
  const redo = useRedoImport()
  const stop = useStopImport()
  const { label, search } = getListLink(details)
  const imported = created + updated
  return (
    <div className={classes['buttons']}>
      {imported > 0 && !undone && (
        <Button renderRoot={(props) => <Link to={importNouns[kind].listAddress} search={search} {...props} />}>{label}</Button>
      )}
      {status === 'running' && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} stroke={1.75} />}
          loading={stop.isPending}
          onClick={() => stop.mutate(details.id)}
        >
          Stop
        </Button>
      )}
      {undoId && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={16} stroke={1.75} />}
          loading={undo.isPending}
          onClick={() => undo.mutate(details)}
        >
          Undo import
        </Button>
      )}
      {redoId && (
        <Button
          variant="default"
          leftSection={<IconArrowForwardUp size={16} stroke={1.75} />}
          loading={redo.isPending}
          onClick={() => redo.mutate(details)}
        >
          Redo import
        </Button>
      )}
      {undoId && status !== 'running' && details.started_at && (
        <span className={classes['deadline']}>until {getLastUndoDay(details.started_at)}</span>
      )}
    </div>
  )
}

const dayMs = 86_400_000

/** The last whole day on which the import can be undone: "22 Dec". */
const getLastUndoDay = (startedAt: string): string => formatShortDay(getDayOf(Date.parse(startedAt) + (undoDays - 1) * dayMs))
