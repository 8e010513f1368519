import type { Action } from '#web/lib/actions.ts'

/** The parts of a list that show one record. The palette leaves out their buttons, because it could not say which record they are for. */
const recordParts = 'table, [role=row], [role=grid], li, [data-deal]'

/**
 * Returns the buttons of the page as actions, so that the palette can do everything that the screen can do. Buttons with a shortcut are
 * left out, because the palette lists the action of the shortcut. The attribute `data-keywords` has more words by which a button is found.
 */
export function readPageButtons(): Action[] {
  const keywords = new Map(findButtons().map((button) => [getName(button), button.dataset['keywords']]))
  return [...keywords].map(([label, extraKeywords = '']) => ({
    label,
    keywords: `${label} ${extraKeywords}`,
    run: () => pressButton(label),
  }))
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
