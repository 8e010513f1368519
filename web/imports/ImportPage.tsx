import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportDetails } from '#contract/imports.ts'
import { isNotFound } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { ColumnsStep } from './columns/ColumnsStep.tsx'
import classes from './ImportPage.module.css'
import { importNouns } from './kinds.ts'
import { importQuery } from './queries.ts'
import { ResultStep } from './result/ResultStep.tsx'

const route = getRouteApi('/signed-in/crm/imports/$id')

/** The page of an import: the columns of the file before the start, then the progress, then the result. */
export function ImportPage() {
  const { id } = route.useParams()
  const { data, error, refetch, isFetching } = useQuery(importQuery(id))
  const [startedId, setStartedId] = useState<string>()
  if (data)
    return (
      <div className={classes['page']}>
        <PageBar title={getTitle(data)} breadcrumb={makeBreadcrumb(data)} actions={<Steps current={getStep(data)} />} />
        {data.status === 'uploaded' ? (
          <ColumnsStep key={id} details={data} onStart={() => setStartedId(id)} />
        ) : (
          <ResultStep key={id} details={data} takesFocus={startedId === id} />
        )}
      </div>
    )
  if (isNotFound(error)) return <MissingImport />
  return (
    <>
      <PageBar title="Import" breadcrumb={[<HistoryLink key="history" />]} />
      {error ? (
        <FailedState
          title="The import could not be loaded"
          reason={describeError(error)}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      ) : (
        <ListSkeleton rows={10} height={52} columns={[180, 180]} />
      )}
    </>
  )
}

const getTitle = ({ status, kind, file_name: name }: ImportDetails): string =>
  status === 'uploaded' ? `Import ${importNouns[kind].plural}` : name

/** Links to the list of the kind before the start, and to the history of imports after it. */
function makeBreadcrumb({ status, kind }: ImportDetails) {
  const { listAddress, listLabel } = importNouns[kind]
  if (status !== 'uploaded') return [<HistoryLink key="history" />]
  return [
    <Link key="list" to={listAddress}>
      {listLabel}
    </Link>,
  ]
}

const HistoryLink = () => <Link to="/crm/imports">Imports</Link>

const MissingImport = () => (
  <>
    <PageBar title="Not found" breadcrumb={[<HistoryLink key="history" />]} />
    <EmptyState
      hideIllustration
      title="This import is not here"
      actions={
        <Button variant="default" component={Link} to="/crm/imports">
          Back to Imports
        </Button>
      }
    >
      It may have been deleted. A file that is not imported is deleted after seven days.
    </EmptyState>
  </>
)

const steps = ['File', 'Columns', 'Result'] as const
const getStep = ({ status }: ImportDetails): (typeof steps)[number] => (status === 'uploaded' ? 'Columns' : 'Result')

/** The steps of an import. Phones show only the number of the current step. */
function Steps({ current }: { current: (typeof steps)[number] }) {
  const currentIndex = steps.indexOf(current)
  return (
    <>
      <ol className={classes['steps']} aria-label="Steps">
        {steps.map((step, index) => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            {index < currentIndex ? <IconCheck size={14} stroke={1.75} aria-label="Done:" /> : <span>{index + 1}</span>}
            {step}
          </li>
        ))}
      </ol>
      <span className={classes['shortSteps']}>
        {currentIndex + 1} of {steps.length}
      </span>
    </>
  )
}
