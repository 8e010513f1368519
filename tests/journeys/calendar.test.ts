// Bookings are moved and lengthened in the week by mouse, and in the day by touch. A booking that is focused or moved with the keyboard
// stays in view; what the keys do is tested in web/bookings. The browser is in another time zone than the profile. The page marks a booking
// with `data-booking` and a day with `data-column`.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { signIn, signUp } from './accounts.ts'
import { collectConsoleErrors } from './browser.ts'
import { closeContexts, getBrowser, url } from './shared.ts'

let browser: Browser
let session: Awaited<ReturnType<BrowserContext['storageState']>>
beforeAll(async () => {
  browser = await getBrowser()
  await signUp(url)
  const context = await browser.newContext()
  await signIn(context.request, url)
  session = await context.storageState()
  const profile = await context.request.patch(`${url}/api/profile`, { data: { timezone: 'Europe/London' }, headers: { origin: url } })
  if (!profile.ok()) throw new Error(await profile.text())
  await context.close()
})
afterAll(closeContexts)

const blockOf = (page: Page, title: string) => page.locator('[data-booking]', { hasText: title })
const getDay = (page: Page, title: string) =>
  blockOf(page, title).evaluate((block) => block.closest<HTMLElement>('[data-column]')?.dataset['column'])

async function addBooking(page: Page, title: string, day = '2026-12-01', fields: Record<string, string> = {}): Promise<void> {
  const times = { start_time: `${day}T10:00:00Z`, end_time: `${day}T11:00:00Z` }
  const response = await page.request.post(`${url}/api/bookings`, { data: { title, ...times, ...fields }, headers: { origin: url } })
  if (!response.ok()) throw new Error(await response.text())
}

async function getBox(page: Page, title: string) {
  const box = await blockOf(page, title).boundingBox()
  if (!box) throw new Error('The booking is not on the screen')
  return box
}

test('the mouse moves and lengthens a booking, Ctrl+Z undoes the last change, and a click on a free time opens the form', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1400, height: 800 }, timezoneId: 'Asia/Tokyo' })
  const consoleErrors = collectConsoleErrors(page)
  await addBooking(page, 'Bar refit')
  await page.goto(`${url}/bookings/calendar?view=week&day=2026-12-01`)
  await blockOf(page, 'Bar refit').getByText('10:00 - 11:00').waitFor()
  const { x, y, width } = await getBox(page, 'Bar refit')
  await page.mouse.move(x + 20, y + 10)
  await page.mouse.down()
  await page.mouse.move(x + 40, y + 30, { steps: 3 })
  await page.mouse.move(x + 20 + width, y + 10 + 2 * 48, { steps: 6 }) // an hour is 48 px high
  await page.mouse.up()
  await page.getByText('Booking updated', { exact: true }).waitFor()
  await blockOf(page, 'Bar refit').getByText('12:00 - 13:00').waitFor()
  await expect.poll(() => getDay(page, 'Bar refit')).toBe('2026-12-02')
  expect(new URL(page.url()).pathname).toBe('/bookings/calendar') // the drag has not opened the booking
  const moved = await getBox(page, 'Bar refit')
  await page.mouse.move(moved.x + 20, moved.y + moved.height - 3)
  await page.mouse.down()
  await page.mouse.move(moved.x + 20, moved.y + moved.height + 48 - 3, { steps: 6 })
  await page.mouse.up()
  await blockOf(page, 'Bar refit').getByText('12:00 - 14:00').waitFor()
  await page.getByText(/^Wed,? 2 Dec, 12:00 to 14:00$/).waitFor()
  await page.keyboard.press('Control+z')
  await blockOf(page, 'Bar refit').getByText('12:00 - 13:00').waitFor()
  const friday = await page.locator('[data-column="2026-12-04"]').boundingBox()
  await page.mouse.click((friday?.x ?? 0) + 30, moved.y + 10)
  await page.getByRole('dialog', { name: 'Add booking' }).getByLabel('Start, time').waitFor()
  expect(await page.getByLabel('Start, time').inputValue()).toBe('12:00')
  expect(consoleErrors).toEqual([])
})

test('on a phone a held finger moves a booking, and a swipe scrolls', async () => {
  const context = await browser.newContext({ storageState: session, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await addBooking(page, 'Key wall')
  await page.goto(`${url}/bookings/calendar?view=day&day=2026-12-01`)
  await blockOf(page, 'Key wall').getByText('10:00 - 11:00').waitFor()
  const input = await context.newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    input.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const { x, y } = await getBox(page, 'Key wall')
  await send('touchStart', x + 30, y + 10)
  await new Promise((resolve) => setTimeout(resolve, 400)) // longer than a drag by touch needs
  for (let step = 1; step <= 6; step++) await send('touchMove', x + 30, y + 10 + step * 8)
  await blockOf(page, 'Key wall').getByText('11:00 - 12:00').waitFor()
  await send('touchEnd')
  await page.getByText('Booking updated', { exact: true }).waitFor()
  const readScroll = () => page.locator('[data-days]').evaluate((grid) => grid.scrollTop)
  const before = await readScroll()
  const moved = await getBox(page, 'Key wall')
  await send('touchStart', moved.x + 30, moved.y + 10)
  for (let step = 1; step <= 8; step++) await send('touchMove', moved.x + 30, moved.y + 10 - step * 15)
  await send('touchEnd')
  await expect.poll(readScroll).toBeGreaterThan(before)
  await blockOf(page, 'Key wall').getByText('11:00 - 12:00').waitFor()
})

test.each([1280, 390])(
  'a booking that is focused or moved with the keyboard is visible below the heads of the days, at %i px',
  async (width) => {
    const page = await browser.newPage({ storageState: session, viewport: { width, height: 700 } })
    const title = `Lift check ${width}`
    const day = width === 390 ? '2026-12-09' : '2026-12-16'
    await addBooking(page, title, day)
    await page.goto(`${url}/bookings/calendar?view=week&day=${day}`)
    await blockOf(page, title).waitFor()
    /** How far the booking is below the heads and above the lower edge of the grid, in px. */
    const getMargins = () =>
      blockOf(page, title).evaluate((block) => {
        const grid = block.closest('[data-days]')?.getBoundingClientRect()
        const head = block.closest('[data-days]')?.querySelector('button')?.getBoundingClientRect()
        const { top, bottom } = block.getBoundingClientRect()
        return { above: top - (head?.bottom ?? 0), below: (grid?.bottom ?? 0) - bottom }
      })
    const expectInView = async (): Promise<void> => {
      const { above, below } = await getMargins()
      expect(Math.min(above, below)).toBeGreaterThanOrEqual(0)
    }
    const grid = page.locator('[data-days]')
    const top = await blockOf(page, title).evaluate((block) => (block instanceof HTMLElement ? block.offsetTop : 0))
    await grid.evaluate((element, scrollTop) => element.scrollTo({ top: scrollTop }), top + 20) // the head covers the booking
    await grid.locator('button').last().focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(title)
    await expectInView()
    await page.keyboard.press('Space')
    for (let step = 0; step < 40; step++) await page.keyboard.press('ArrowUp') // to 00:00
    await blockOf(page, title).getByText('00:00 - 01:00').waitFor()
    await expectInView()
    for (let step = 0; step < 88; step++) await page.keyboard.press('ArrowDown')
    await blockOf(page, title).getByText('22:00 - 23:00').waitFor()
    await expectInView()
    await page.keyboard.press('Escape')
    await blockOf(page, title).getByText('10:00 - 11:00').waitFor()
    await expectInView()
  },
)

test('a booking of 45 minutes shows the name of the attendee beside the title, or no part of the name if there is no room', async () => {
  const page = await browser.newPage({ storageState: session, viewport: { width: 1280, height: 800 } })
  const day = '2026-12-23'
  await addBooking(page, 'A walk around the lake', day, { end_time: `${day}T10:45:00Z`, attendee_name: 'נועה לוי' })
  /** How many px of the height of the name are visible. */
  const getVisibleHeight = (title: string) =>
    blockOf(page, title)
      .getByText('נועה לוי')
      .evaluate((name) => {
        const { top, bottom } = name.getBoundingClientRect()
        return Math.max(0, Math.min(bottom, name.parentElement?.getBoundingClientRect().bottom ?? 0) - top)
      })
  await page.goto(`${url}/bookings/calendar?view=day&day=${day}`)
  await blockOf(page, 'A walk around the lake').waitFor()
  expect(await getVisibleHeight('A walk around the lake')).toBe(15) // the whole line
  await page.goto(`${url}/bookings/calendar?view=week&day=${day}`)
  await blockOf(page, 'A walk around the lake').waitFor()
  expect(await getVisibleHeight('A walk around the lake')).toBe(0)
})
