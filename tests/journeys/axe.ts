import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const script = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const isFullTest = process.env['FOYER_FULL'] === '1'
export const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * The widths and themes in which a screen is checked: all four if FOYER_FULL is set; otherwise, to save time, light on the desktop and dark
 * on the phone.
 */
export const widthsAndThemes = ([1280, 390] as const).flatMap((width) => themesAt(width).map((theme) => [width, theme] as const))

/** The themes in which a screen is checked at a width: see `widthsAndThemes`. */
export function themesAt(width: number): ('light' | 'dark')[] {
  if (isFullTest) return ['light', 'dark']
  return width === 1280 ? ['light'] : ['dark']
}

/**
 * Checks the accessibility of the page with the tool axe. Returns the name of each violated rule with the HTML of the first element that
 * violates it. Only rules with one of the tags are checked: by default those of WCAG, levels A and AA.
 */
export async function findViolations(page: Page, { within = 'html', tags = wcagTags } = {}): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis)
  if (!isLoaded) await page.evaluate(script)
  const options: RunOptions = { runOnly: tags, resultTypes: ['violations'] }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`)
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}
