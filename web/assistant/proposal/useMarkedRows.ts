import { useEffect } from 'react'
import type { ProposalItem } from '#contract/proposals.ts'
import { findKindDisplay } from '#web/lib/features.ts'

/** Marks the rows of the list beside the panel that a proposal would change, with a line at their left edge. */
export function useMarkedRows(items: readonly ProposalItem[]): void {
  const addresses = items.flatMap(({ id, kind }) => (id === null ? [] : (findKindDisplay(kind)?.addressOf({ id }) ?? [])))
  const selectors = addresses.map((address) => `tr:has(td[data-column] a:is([href="${address}"], [href^="${address}?"])) > td:first-child`)
  const rule = selectors.length === 0 ? '' : `${selectors.join()} { box-shadow: inset 2px 0 var(--f-brand-text) }`
  useEffect(() => {
    if (rule === '') return undefined
    const sheet = new CSSStyleSheet() // the content security policy allows it, because a script makes it
    sheet.replaceSync(rule)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    }
  }, [rule])
}
