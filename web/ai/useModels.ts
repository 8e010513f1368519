import { useRef, useState } from 'react'
import { aiEndpointRoutes } from '#contract/ai.ts'
import { call } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import { originOf, toEndpoint } from './connectionValues.ts'

type Endpoint = { base_url: string; key: string }
/** The names of an endpoint's models. `id` identifies the endpoint by its address and key. */
type ModelList = { id: string; names: string[]; problem: string | null }

const idOf = ({ base_url, key }: Endpoint): string => `${base_url.trim()} ${key.trim()}`

/** Loads the names of an endpoint's models, once for each address and key. After a failure, the next call loads them again. */
export function useModels(current: Endpoint) {
  const [list, setList] = useState<ModelList>({ id: '', names: [], problem: null })
  const [isLoading, setLoading] = useState(false)
  const requestedId = useRef('')
  const load = async (endpoint: Endpoint): Promise<void> => {
    const id = idOf(endpoint)
    if (originOf(endpoint.base_url) === undefined || requestedId.current === id) return
    requestedId.current = id
    setLoading(true)
    const result = await call(aiEndpointRoutes.models, { body: toEndpoint(endpoint) }).then(
      ({ models: names, problem }) => ({ id, names, problem }),
      (error: unknown) => ({ id, names: [], problem: describeError(error) }),
    )
    if (requestedId.current !== id) return // another endpoint was entered meanwhile
    if (result.problem !== null) requestedId.current = ''
    setList(result)
    setLoading(false)
  }
  const isCurrent = list.id === idOf(current)
  return {
    load: (endpoint: Endpoint): void => void load(endpoint),
    /** Sets the models of a server that was found on the machine. */
    set: ({ base_url, models }: { base_url: string; models: string[] }): void => {
      requestedId.current = idOf({ base_url, key: '' })
      setList({ id: requestedId.current, names: models, problem: null })
      setLoading(false)
    },
    names: isCurrent ? list.names : [],
    problem: isCurrent ? list.problem : null, // stays while the models are loaded again, so that nothing moves under a click
    isLoading,
  }
}
