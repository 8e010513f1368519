// An opening is a dialog, menu or page that the user has opened and that is not shown yet, because its code or its record is still loading.
import { useEffectEvent, useLayoutEffect } from 'react'

/** `cancel` closes what is opening; undefined for a page, which cannot be closed. */
type Opening = { cancel: (() => void) | undefined }

const openings = new Set<Opening>()
/** Resolves the promises of `waitForOpenings`. */
let resolvers: (() => void)[] = []

/** Registers that something is opening. Returns the function that must be called when it is shown, or will not be shown. */
export function startOpening(cancel?: () => void): () => void {
  const opening = { cancel }
  openings.add(opening)
  return () => {
    if (!openings.delete(opening) || isOpening()) return
    const currentResolvers = resolvers
    resolvers = []
    for (const resolve of currentResolvers) resolve()
  }
}

/** Returns true while anything is opening. */
export const isOpening = (): boolean => openings.size > 0

/** Resolves when nothing is opening any more. */
export const waitForOpenings = (): Promise<void> => (isOpening() ? new Promise((resolve) => resolvers.push(resolve)) : Promise.resolve())

/** Closes everything that is opening and can be closed. Returns true if this closed anything. */
export function cancelOpenings(): boolean {
  const closable = [...openings].flatMap(({ cancel }) => cancel ?? [])
  for (const cancel of closable) cancel()
  return closable.length > 0
}

/**
 * Registers that something is opening while the component is shown, for example the placeholder of a form. `onCancel` is called when the
 * user presses Escape meanwhile.
 */
export function useOpening(onCancel?: () => void): void {
  const cancel = useEffectEvent(() => onCancel?.())
  const canCancel = onCancel !== undefined
  useLayoutEffect(() => startOpening(canCancel ? () => cancel() : undefined), [canCancel])
}
