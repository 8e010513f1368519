import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { leftOutField } from '#contract/importFields.ts'
import { importRoutes, ImportMode, type ImportDetails } from '#contract/imports.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { formatNumber } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { readFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import { toast } from '#web/lib/toasts.ts'
import { ChoiceSwitch } from '#web/ui/ChoiceSwitch.tsx'
import { describeImportError } from '../dialog/describeImportError.ts'
import { useDiscardImport } from '../history/importActions.ts'
import { importNouns } from '../kinds.ts'
import { importQuery } from '../queries.ts'
import { followImport, stopFollowing } from '../running/runningImports.ts'
import { AskAi, askAiButtonId } from './AskAi.tsx'
import { ColumnList } from './ColumnList.tsx'
import classes from './ColumnsStep.module.css'
import { FileSettings } from './FileSettings.tsx'
import { ModeChoice } from './ModeChoice.tsx'
import { PreviewRows } from './PreviewRows.tsx'
import { useAskAi } from './useAskAi.ts'
import { useCorrections } from './useCorrections.ts'

type View = 'columns' | 'rows'

type ColumnsStepProps = { details: ImportDetails; onStart: () => void }

/** Shows the columns and first rows of a file, which the user can correct before the import starts. */
export function ColumnsStep({ details, onStart }: ColumnsStepProps) {
  const { kind, table } = details
  const [view, setView] = useState<View>('columns')
  const [mode, setMode] = useMode(details)
  const corrections = useCorrections(details)
  const main = useRef<HTMLElement>(null)
  const { isAsking, ask, stop } = useAskAi(details, { onDone: () => moveFocusFromAskAi(main.current) })
  const isLocked = isAsking || corrections.isReadingAgain
  const start = useStart(details)
  const discard = useDiscardImport()
  const navigate = useNavigate()
  const problemCount = table.preview.filter(({ record }) => record.problem !== '').length
  const remarkCount = table.preview.filter(({ record }) => record.remarks.length > 0).length
  const rowsNote = problemCount > 0 ? ` (${problemCount} with a problem)` : remarkCount > 0 ? ` (${remarkCount} with remarks)` : ''
  return (
    <>
      <div className={classes['split']}>
        <aside className={classes['aside']} aria-label="Settings of the import">
          <FileSettings details={details} isReading={corrections.isPending || isAsking} onRead={corrections.readAgain} />
          <ModeChoice kind={kind} mode={mode} onChange={setMode} />
        </aside>
        {/* a scrolling area must be reachable with the keyboard */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section ref={main} className={classes['main']} aria-label={view === 'columns' ? 'Columns' : 'First rows'} tabIndex={0}>
          <div className={classes['views']}>
            <ChoiceSwitch
              label="View"
              choices={[
                { value: 'columns', label: `Columns (${formatNumber(table.columns.length)})` },
                { value: 'rows', label: `First rows${rowsNote}` },
              ]}
              value={view}
              onChange={setView}
            />
          </div>
          {view === 'columns' ? (
            <>
              <AskAi columns={table.columns} isAsking={isAsking} onAsk={ask} onStop={stop} />
              <ColumnList kind={kind} table={table} isLocked={isLocked} onChoose={corrections.chooseField} />
            </>
          ) : (
            <PreviewRows kind={kind} table={table} />
          )}
        </section>
      </div>
      <div className={classes['bar']} data-save-bar>
        <p className={classes['note']}>{describeColumns(details)}</p>
        <Button
          variant="default"
          onClick={() => discard.mutate(details, { onSuccess: () => void navigate({ to: importNouns[kind].listAddress }) })}
          loading={discard.isPending}
        >
          Discard
        </Button>
        <Button
          onClick={() => {
            onStart()
            start.mutate(mode)
          }}
          disabled={isLocked}
          loading={start.isPending}
        >
          Start import
        </Button>
      </div>
    </>
  )
}

/** The button disappears when no column is unsure any more; the columns then get its focus. */
function moveFocusFromAskAi(columns: HTMLElement | null): void {
  if (document.activeElement?.id === askAiButtonId) columns?.focus()
}

/** The mode that the user chooses. This tab remembers it, because the server stores it only when the import starts. */
function useMode({ id, mode }: ImportDetails) {
  const name = `import mode ${id}`
  const [chosenMode, setChosenMode] = useState(() => readFromTab(name, ImportMode) ?? mode)
  const choose = (newMode: ImportMode): void => {
    storeInTab(name, newMode)
    setChosenMode(newMode)
  }
  return [chosenMode, choose] as const
}

/** Starts the import with the fields that are shown, also if the last correction was not sent yet. */
function useStart({ id, kind }: ImportDetails) {
  const { queryKey } = importQuery(id)
  return useMutation({
    mutationFn: (mode: ImportMode) => {
      const fields = queries.getQueryData(queryKey)?.table.columns.map(({ field }) => field)
      return call(importRoutes.start, { params: { id }, body: { mode, fields } })
    },
    onMutate: () => followImport(id), // before the response, because the user may close the page at once
    onSuccess: async (started) => {
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, (details) => details && { ...details, ...started })
      void refreshTables(['imports'])
    },
    onError: (error) => {
      const code = error instanceof ProblemError ? error.problem.code : undefined
      const mayHaveStarted = code === 'import_started' || code === 'offline'
      if (!mayHaveStarted) stopFollowing(id)
      toast({ kind: 'error', title: 'Import Failed', message: describeImportError(error, kind) })
      if (mayHaveStarted) void refreshTables(['imports'])
    },
  })
}

/** Says how the columns are mapped: "10 of 12 columns matched · 2 kept as additional data · 1 to check". */
function describeColumns({ kind, table: { columns } }: ImportDetails): string {
  const leftOut = columns.filter(({ field }) => field === leftOutField).length
  const matched = columns.filter(({ field }) => field !== null && field !== leftOutField)
  const unsure = matched.filter(({ certainty }) => certainty === 'unsure').length
  const others = columns.length - matched.length - leftOut
  return [
    `${formatNumber(matched.length)} of ${formatNumber(columns.length)} columns matched`,
    ...(others > 0 ? [`${formatNumber(others)} ${kind === 'contact' ? 'kept as additional data' : 'not imported'}`] : []),
    ...(leftOut > 0 ? [`${formatNumber(leftOut)} not imported`] : []),
    ...(unsure > 0 ? [`${formatNumber(unsure)} to check`] : []),
  ].join(' · ')
}
