import { Button } from '@mantine/core'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { getLinkSearch, type RecordKind } from '#web/records/kind/kind.ts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { ImportButton } from './ImportButton.tsx'
import classes from './RecordsPage.module.css'

/** Shown when there are no records of a kind. `hasTopLine` adds a line that separates it from the page bar. */
export function NoRecords<Row extends { id: string }>({ kind, hasTopLine }: { kind: RecordKind<Row>; hasTopLine: boolean }) {
  const { title, text, illustrationShapes, startsWithImport = false } = kind.emptyList
  const importButton = <ImportButton kind={kind} isPrimary={startsWithImport} />
  const actions = (
    <>
      {startsWithImport && importButton}
      <AddRecordButton kind={kind} isPrimary={!startsWithImport} />
      {!startsWithImport && importButton}
    </>
  )
  return (
    <div className={hasTopLine ? classes['topLine'] : undefined}>
      <EmptyState title={title} actions={actions} illustrationShapes={illustrationShapes}>
        {text}
      </EmptyState>
    </div>
  )
}

/** The button that opens the form for a new record. */
export function AddRecordButton<Row extends { id: string }>({ kind, isPrimary = true }: { kind: RecordKind<Row>; isPrimary?: boolean }) {
  const { singular, path } = kind
  return (
    <Tooltip label={`Add ${singular} (N)`}>
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        component={Link}
        to={`${path}/new`}
        search={getLinkSearch(kind)}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        aria-keyshortcuts="n"
      >
        Add {singular}
      </Button>
    </Tooltip>
  )
}
