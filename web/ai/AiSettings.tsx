// The section of the account page about the AI: the connection of the account, and its usage of the month.
import { useState, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { aiEndpointRoutes, aiRoutes, type AiConnection, type ConnectionToTest } from '#contract/ai.ts'
import { aiQuery } from '#web/lib/aiState.ts'
import { call } from '#web/lib/client.ts'
import { describeError, toastError } from '#web/lib/toasts.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { SettingsProblem } from '#web/ui/SettingsSection.tsx'
import { CapabilityList } from './CapabilityList.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { ConnectionProblem } from './ConnectionProblem.tsx'
import { UsageOfMonth } from './UsageOfMonth.tsx'
import classes from './AiSettings.module.css'

/** Shows and edits the AI connection of the account. */
export function AiSettings() {
  const { data: connection, error, refetch, isFetching } = useQuery(aiQuery)
  if (connection) return <LoadedSettings connection={connection} />
  if (!error) return <ListSkeleton rows={2} columns={[]} />
  return (
    <FailedState
      title="The AI connection could not be loaded"
      reason={describeError(error)}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
    />
  )
}

function LoadedSettings({ connection }: { connection: AiConnection }) {
  const queries = useQueryClient()
  const [isReplacing, setReplacing] = useState(false)
  const { source } = connection
  const test = useMutation({
    mutationFn: (body: ConnectionToTest) => call(aiEndpointRoutes.test, { body }),
    onError: (error) => toastError(error),
    onSettled: () => queries.invalidateQueries(aiQuery), // the server has stored what the model can do
  })
  const remove = useMutation({
    mutationFn: () => call(aiRoutes.remove, {}),
    onError: (error) => toastError(error),
    onSuccess: () => {
      test.reset()
      setReplacing(false)
      toastWithoutUndo('AI connection removed')
    },
    onSettled: () => queries.invalidateQueries(aiQuery),
  })
  const showsForm = source !== 'operator' || isReplacing
  return (
    <div className={classes['settings']}>
      {connection.key_state === 'lost' ? (
        <LostKey address={connection.base_url} />
      ) : (
        <p className={classes['state']}>{describeState(connection)}</p>
      )}
      {/* after a test, the list is shown below the buttons */}
      {!test.data && <CapabilityList capabilities={connection.capabilities} hasImageModel={connection.image_model !== ''} />}
      {!showsForm && (
        <div className={classes['actions']}>
          <Button variant="default" onClick={() => setReplacing(true)}>
            Connect another one
          </Button>
        </div>
      )}
      {showsForm && (
        <ConnectionForm
          connection={connection}
          isTesting={test.isPending}
          onTest={(body) => test.mutate(body)}
          onChange={test.reset}
          otherButtons={
            <>
              {source === 'own' && (
                <Button variant="subtle" color="red" onClick={() => remove.mutate()} loading={remove.isPending}>
                  Remove
                </Button>
              )}
              {source === 'operator' && (
                <Button variant="subtle" onClick={() => setReplacing(false)}>
                  Cancel
                </Button>
              )}
            </>
          }
        />
      )}
      {test.error && <ConnectionProblem title="The connection could not be tested">{describeError(test.error)}</ConnectionProblem>}
      {test.data?.problem && <ConnectionProblem title="The test found a problem">{test.data.problem}</ConnectionProblem>}
      {test.data?.failure === null && <output className={classes['success']}>The connection works.</output>}
      {test.data && (
        <CapabilityList capabilities={test.data.capabilities} hasImageModel={(test.variables?.image_model ?? '').trim() !== ''} />
      )}
      <UsageOfMonth hasConnection={source !== 'off'} />
    </div>
  )
}

const LostKey = ({ address }: { address: string }) => (
  <div className={classes['state']}>
    <SettingsProblem>
      Enter the key for <b>{new URL(address).host}</b> again: this server has a new key of its own, and can no longer read the stored one.
    </SettingsProblem>
  </div>
)

function describeState({ source, base_url, model, has_operator_connection }: AiConnection): ReactNode {
  if (source === 'off') return 'No AI is connected. Everything else works without one.'
  const name = <b>{model}</b>
  if (source === 'operator') return <>You use {name}, which the operator of this server has connected for everybody.</>
  return (
    <>
      You use {name} at <b>{new URL(base_url).host}</b>
      {has_operator_connection && ' instead of the AI of this server'}.
    </>
  )
}
