import { createElement, useEffectEvent, useLayoutEffect, useReducer, type ComponentType, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { startOpening } from './openings.ts'
import { toast } from './toasts.ts'
import { dropWaitingKeys } from './typeAhead.ts'
import { returnFocus } from './waitingKeys.ts'

type LazyPartProps = {
  /** Closes the part while its code is loading: when the user presses Escape, or when the code cannot be loaded. */
  onLoadCancelled: () => void
  /** Shown while the code is loading. */
  fallback?: ReactNode
}

/**
 * Creates a component whose code is loaded when the component is shown for the first time: a dialog, or the content of a menu. Keys that
 * the user presses while the code is loading are delivered to the component later. If the code cannot be loaded, a toast says so.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let Part: ComponentType<Props> | undefined
  return function LazyPart(props: Props & LazyPartProps): ReactNode {
    const [, render] = useReducer((count: number) => count + 1, 0)
    const giveUp = useEffectEvent(props.onLoadCancelled)
    useLayoutEffect(() => {
      if (Part) return undefined
      let isMounted = true
      const endOpening = startOpening(() => giveUp())
      const show = (loadedPart: ComponentType<Props>): void => {
        Part = loadedPart
        if (!isMounted) return
        returnFocus() // before the part is mounted, because a dialog remembers where the focus was
        flushSync(render) // renders at once, because the waiting keys are delivered after `endOpening`
        endOpening()
      }
      const fail = (): void => {
        if (!isMounted) return
        dropWaitingKeys()
        showLoadFailure()
        giveUp()
      }
      load().then(show, fail)
      return () => {
        isMounted = false
        endOpening()
      }
    }, [])
    return Part ? createElement(Part, props) : props.fallback
  }
}

/** Shows a toast when code could not be loaded. */
export function showLoadFailure(): void {
  toast({
    kind: 'error',
    title: 'This could not be opened',
    message: 'The server cannot be reached, or Foyer has been updated.',
    action: navigator.onLine ? reload : undefined,
  })
}

/** Some browsers do not load a module again after a failure until the page is reloaded. */
const reload = { label: 'Reload', run: () => location.reload() }
