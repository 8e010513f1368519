// npm run bench:paint -- [--contacts N] [--visits N]: measures over a slow network when the page with the list of contacts shows its first
// content (the frame around the list) and its first row, on a first visit with an empty cache and on a second visit.
import { parseArgs } from 'node:util'
import { measureFirstPaint, type FirstPaint } from '../tests/journeys/slowNetwork.ts'
import { formatRow, openDemo } from './browser.ts'

const { values } = parseArgs({ options: { contacts: { type: 'string', default: '1000' }, visits: { type: 'string', default: '5' } } })

await using resources = new AsyncDisposableStack()
const { product, browser, page } = await openDemo(resources, Number(values.contacts))
// takes only the cookies: the local storage says that the font is in the cache, which is wrong for a new visitor
const { cookies } = await page.context().storageState()
await page.close()
const address = `${product.url}/crm/contacts`

const firstVisits: FirstPaint[] = []
const secondVisits: FirstPaint[] = []
for (let visit = 0; visit < Number(values.visits); visit++) {
  const context = await browser.newContext({ storageState: { cookies, origins: [] }, viewport: { width: 1280, height: 800 } })
  for (const paints of [firstVisits, secondVisits]) {
    const visitedPage = await context.newPage()
    paints.push(await measureFirstPaint(visitedPage, address))
    await visitedPage.close()
  }
  await context.close()
}
console.log(formatRow('', ['frame ms', 'row ms', 'worst', 'kB', 'requests', 'shift']))
for (const [name, paints] of Object.entries({ 'first visit': firstVisits, 'second visit': secondVisits }))
  console.log(formatRow(name, summarise(paints)))

/** Returns the medians, and the worst values of the time of the first row and of the layout shift. */
function summarise(paints: readonly FirstPaint[]): string[] {
  const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
  const bytes = paints.map(({ requests }) => requests.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0))
  return [
    median(paints.map(({ frameMs }) => frameMs)).toFixed(0),
    median(paints.map(({ rowMs }) => rowMs)).toFixed(0),
    Math.max(...paints.map(({ rowMs }) => rowMs)).toFixed(0),
    (median(bytes) / 1000).toFixed(1),
    String(median(paints.map(({ requests }) => requests.length))),
    Math.max(...paints.map(({ layoutShift }) => layoutShift)).toFixed(3),
  ]
}
