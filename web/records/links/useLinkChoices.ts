import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Linked } from './linked.ts'
import { linkChoices } from './linkedKinds.ts'

const pauseMs = 200

/** The records of a kind that answer what was typed, once the typing pauses. Those from before stay until then; `search` is what was asked for. */
export function useLinkChoices(to: Linked, typed: string, enabled = true) {
  const [search] = useDebouncedValue(typed, pauseMs)
  const found = useQuery({ ...linkChoices(to, search), enabled, placeholderData: keepPreviousData })
  return { found, search }
}
