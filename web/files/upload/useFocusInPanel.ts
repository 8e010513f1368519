import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react'

type LastFocus = { element: HTMLElement; id: string | undefined; rowIndex: number }

/**
 * Keeps the focus in the panel when the focused button disappears, for example because its upload has ended: moves the focus to the first
 * button of the same row, or else of the next row that has one, or else of the panel. Spread the returned handlers on the panel.
 */
export function useFocusInPanel(panel: RefObject<HTMLElement | null>) {
  const last = useRef<LastFocus>(undefined)
  useLayoutEffect(() => {
    const isLost = last.current && !last.current.element.isConnected && document.activeElement === document.body
    if (panel.current && last.current && isLost) findNextButton(panel.current, last.current)?.focus({ preventScroll: true })
  })
  return {
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
      if (!currentTarget.contains(target)) return // the focus is in a dialog that the panel has opened, which returns the focus itself
      const row = target.closest<HTMLElement>('[data-upload]')
      last.current = { element: target, id: row?.dataset['upload'], rowIndex: row ? listRows(currentTarget).indexOf(row) : 0 }
    },
    onBlur: ({ target }: FocusEvent<HTMLElement>): void => {
      if (target.isConnected) last.current = undefined // the user has moved the focus
    },
  }
}

const listRows = (panel: HTMLElement): HTMLElement[] => [...panel.querySelectorAll<HTMLElement>('[data-upload]')]

function findNextButton(panel: HTMLElement, { id, rowIndex }: LastFocus): HTMLElement | null {
  const rows = listRows(panel)
  const sameRow = rows.find(({ dataset }) => dataset['upload'] === id)?.querySelector('button')
  const nextButtons = rows.slice(rowIndex).flatMap((row) => row.querySelector('button') ?? [])
  return sameRow ?? nextButtons[0] ?? panel.querySelector('button')
}
