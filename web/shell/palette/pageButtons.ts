import type { Action } from '#web/lib/actions.ts'

/** A button of one record in a list belongs to that record; the page has actions for the current record. */
const recordParts = 'table, [role=row], [role=grid], li, [data-deal]'

/**
 * Returns the buttons of the page as actions, so that the palette has everything that the screen can do. Buttons with a shortcut are left
 * out, because the action of the shortcut stands for them. The words in `data-keywords` find a button too.
 */
export function readPageButtons(): Action[] {
  const keywords = new Map(findButtons().map((button) => [getName(button), button.dataset['keywords']]))
  return [...keywords].map(([label, added = '']) => ({ label, keywords: `${label} ${added}`, run: () => pressButton(label) }))
}

const findButtons = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('main button')].filter(
    (button) =>
      getName(button) !== '' && !button.closest(recordParts) && !button.matches(':disabled, [aria-keyshortcuts]') && isShown(button),
  )

const getName = (button: HTMLElement): string => (button.getAttribute('aria-label') ?? button.textContent).trim()

const isShown = (button: HTMLElement): boolean => button.checkVisibility({ visibilityProperty: true })

/** Looks for the button again, because the page may have rendered it anew since the palette was opened. */
function pressButton(name: string): void {
  const button = findButtons().find((each) => getName(each) === name)
  button?.focus()
  button?.click()
}
