import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { noteFunctionRoutes } from '#contract/aiFunctions.ts'
import { call, ProblemError } from '#web/lib/client.ts'
import { toast, toastError } from '#web/lib/toasts.ts'

/**
 * The state of an improvement. `running`: the AI is asked. `suggested`: the suggested text is compared with the original. `off`: the AI
 * cannot be used, for this reason.
 */
export type Improvement =
  | { state: 'none' }
  | { state: 'running' }
  | { state: 'suggested'; original: string; text: string }
  | { state: 'off'; reason: string }

/** A model on a small machine needs minutes for a long note. */
const timeoutSeconds = 600
const none = { state: 'none' } as const

/** Asks the AI for better wording of a text. Does not save the answer. Leaving the page stops the request. */
export function useImprovement() {
  const [improvement, setImprovement] = useState<Improvement>(none)
  /**
   * True after `end` was called: the suggestion was accepted or discarded, or the request was stopped. The text field, which the suggestion
   * has replaced, then gets the focus again.
   */
  const [hasEnded, setEnded] = useState(false)
  const request = useRef<AbortController>(undefined)
  useEffect(() => () => request.current?.abort(), [])
  const end = (): void => {
    request.current?.abort()
    setEnded(true)
    setImprovement(none)
  }
  const start = async (original: string): Promise<void> => {
    const { signal } = (request.current = new AbortController())
    setImprovement({ state: 'running' })
    try {
      const { improvedContent: text } = await call(
        noteFunctionRoutes.improveNote,
        { body: { content: original } },
        { signal, timeoutSeconds },
      )
      if (signal.aborted) return
      if (text.trim() !== original.trim()) return setImprovement({ state: 'suggested', original, text })
      setImprovement(none)
      toast({ kind: 'info', title: 'Nothing to improve', message: 'The AI suggests no changes to this note.' })
    } catch (error) {
      if (signal.aborted) return
      const isOff = error instanceof ProblemError && ['ai_off', 'ai_key_lost'].includes(error.problem.code)
      setImprovement(isOff ? { state: 'off', reason: error.message } : none)
      if (!isOff) toastError(error)
    }
  }
  const isRunning = improvement.state === 'running'
  const endOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || (!isRunning && improvement.state !== 'suggested')) return
    event.preventDefault()
    end()
  }
  return { improvement, isRunning, hasEnded, start: (original: string) => void start(original), end, endOnEscape }
}
