import './print.css'
import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { formatExactDay, getToday } from '#web/lib/format.ts'
import { printedTableRenderer, type PrintedTableProps } from '#web/lib/printing.ts'
import { useSession } from '#web/lib/session.ts'
import { useStore } from '#web/lib/store.ts'
import { PrintedTable } from './PrintedTable.tsx'

/** Prepares the page for paper while it is printed: its title, a line that says who printed it and when, and all loaded rows of a list. */
export function PrintPart() {
  const { full_name } = useSession().profile
  const isPrinting = useStore(printedTableRenderer) !== undefined
  useEffect(listenForPrinting, [])
  return (
    isPrinting && (
      <p data-print-head>
        {formatToday()} · {full_name} · Foyer
      </p>
    )
  )
}

/** While the page is printed, each list calls this function with its loaded rows. */
const renderTable = <Row extends { id: string }>(props: PrintedTableProps<Row>) => <PrintedTable {...props} />

const formatToday = (): string => formatExactDay(getToday())

/** Prepares the page when printing begins and restores it at the end. Returns a function that removes the listeners. */
function listenForPrinting(): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  const printMedia = matchMedia('print') // also changes when developer tools emulate printing, which sends no event `beforeprint`
  let titles = { screen: '', paper: '' }
  let scrollPositions: { element: Element; top: number }[] = []
  const begin = (): void => {
    if (printedTableRenderer.get()) return
    const screenTitle = document.title
    // the day stands before the final "- Foyer"
    titles = { screen: screenTitle, paper: screenTitle.replace(/( - Foyer)?$/, ` - ${formatToday()} - Foyer`) }
    document.title = titles.paper // the name of the PDF file
    const positions = [...document.querySelectorAll('main *')].map((element) => ({ element, top: element.scrollTop }))
    scrollPositions = positions.filter(({ top }) => top > 0)
    printedTableRenderer.set(renderTable)
  }
  const end = (): void => {
    if (!printedTableRenderer.get()) return
    if (document.title === titles.paper) document.title = titles.screen
    printedTableRenderer.set(undefined)
    for (const { element, top } of scrollPositions) element.scrollTop = top // on paper nothing scrolls, so the positions were lost
  }
  const beginOrEnd = (): void => (printMedia.matches ? begin() : end())
  window.addEventListener('beforeprint', () => flushSync(begin), { signal })
  window.addEventListener('afterprint', end, { signal })
  printMedia.addEventListener('change', beginOrEnd, { signal })
  beginOrEnd()
  return () => {
    listeners.abort()
    end()
  }
}
