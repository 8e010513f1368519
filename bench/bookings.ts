// Measures booking pages and lead forms: the latency of a request for the free times of 60 days, and how many pages, bookings and form
// submissions the product handles in a second. The pages are compared with a bare server that sends the same bytes. The bookings are
// compared with a bare server that inserts a row with the same lock and the same constraint.
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { createPageTokens } from '#server/platform/http/visitors/page-token.ts'
import { createProofOfWork, setProofDifficulty } from '#server/platform/http/visitors/proof-of-work.ts'
import { openKeyFile } from '#server/platform/security/key-file.ts'
import { solveProof } from '#server/testing/visitors.ts'
import { startProduct } from '../tests/product.ts'
import { signUp } from '../tests/crash/writers.ts'
import { addForm, measureSubmissions, usualWork } from './forms.ts'
import { measureLatency, type Latency } from './latency.ts'
import { readCpuTimes } from './process-usage.ts'
import { startBareServer } from './programs.ts'
import { copyToBareTables } from './tables.ts'
import { connections, measureInTurns, measurePages, send, toAddress, type Rates } from './visitors.ts'

export type BookingReport = {
  cores: number
  loadAverages: { before: number; after: number }
  times: Latency
  pages: Rates
  bookings: Rates
  formPages: Rates
  answersPerSecond: number
}

const bookingCount = 5000
/** So short that all rounds together make fewer than 2,000 bookings, the maximum that visitors can make with an owner in 15 minutes. */
const bookingRoundMs = 1000
/** `timesMs`: the p95 of a request for free times. `pages` and `bookings`: the ratio to the bare server. */
const goals = { timesMs: 50, pages: 0.4, bookings: 0.3 }
/** The number of bookings that are prepared for a link: fewer than the 600 requests that its page takes in 15 minutes. */
const bookingsOfLink = 500
const linkCount = 4

type Link = { id: string; slug: string; owner: string }

/** Starts a product and measures its booking pages. */
export async function measureBookings(): Promise<BookingReport> {
  await using resources = new AsyncDisposableStack()
  const product = resources.use(await startProduct({ FOYER_TRUST_PROXY: '1' }))
  const keyFile = openKeyFile(join(product.folder, 'secret.key'))
  const database = resources.adopt(
    await openDatabaseForCommand({ data: { folder: product.folder, isConfigured: true }, external: undefined, keyFile }),
    ({ stop }) => stop(),
  )
  const pool = resources.adopt(new pg.Pool({ ...database.connections.tableOwner, max: connections }), (openedPool) => openedPool.end())
  const [before = 0] = loadavg()
  const { token } = await signUp(product.url, 'owner')
  const links = await addLinks(product.url, token, pool)
  const [link] = links
  if (!link) throw new Error('There is no link')
  console.error('Measuring the times of a link ...')
  await addBookings(pool, link)
  const timesUrl = `${product.url}/api/public/booking-links/${link.id}/times?timezone=Europe/London&days=60`
  let visitor = 0
  const times = await measureLatency(200, () => send('GET', timesUrl, { 'x-forwarded-for': toAddress(visitor++) }))
  console.error('Measuring pages ...')
  const readCpu = () => readCpuTimes(product.serverProcessId(), product.databaseProcessId())
  const pages = await measurePages(`${product.url}/book/${link.slug}`, readCpu)
  const form = await addForm(product.url, token, link.owner)
  const formPages = await measurePages(`${product.url}/form/${form.slug}`, readCpu)
  console.error('Measuring bookings and answers ...')
  const book = await prepareBookings(product.url, links, keyFile.findOrCreate())
  const bareBookings = resources.use(await openBareBookings(pool, link.owner))
  const bookings = await measureInTurns({ product: book, bare: bareBookings.book, readCpu, roundMs: bookingRoundMs })
  const answersPerSecond = await measureSubmissions(product.url, form, keyFile.findOrCreate())
  const [after = 0] = loadavg()
  return {
    cores: availableParallelism(),
    loadAverages: { before, after },
    times,
    pages,
    bookings,
    formPages,
    answersPerSecond,
  }
}

/** Adds links that offer a time every 15 minutes from 9:00 to 17:00, for years, so that there are enough times for all bookings. */
async function addLinks(url: string, token: string, pool: pg.Pool): Promise<Link[]> {
  const weekly = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: '09:00', to: '17:00' }))
  const links: Link[] = []
  for (let number = 0; number < linkCount; number++) {
    const response = await fetch(`${url}/api/booking-links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'Visit',
        window_days: 3650,
        duration_minutes: 15,
        step_minutes: 15,
        availability: { weekly, days_off: [], dates: [] },
      }),
    })
    const { id, slug }: { id: string; slug: string } = JSON.parse(await response.text())
    const { rows } = await pool.query<{ user_id: string }>('select user_id from booking_links where id = $1', [id])
    links.push({ id, slug, owner: rows[0]?.user_id ?? '' })
  }
  return links
}

/** Adds contacts, and bookings on the last 60 and the next 60 days, outside of the hours of the links. */
async function addBookings(pool: pg.Pool, { owner, id }: Link): Promise<void> {
  await pool.query(
    `insert into crm_contacts (user_id, last_name, email, external_id)
     select $1, 'Visitor ' || n, 'earlier' || n || '@example.org', 'booking_' || n from generate_series(1, $2::int) n`,
    [owner, bookingCount],
  )
  await pool.query(
    `insert into bookings (user_id, booking_link_id, title, start_time, end_time)
     select $1, $2, 'Visit', date_trunc('day', now()) + make_interval(days => n % 120 - 60, mins => n / 120 * 10),
       date_trunc('day', now()) + make_interval(days => n % 120 - 60, mins => n / 120 * 10 + 10)
     from generate_series(0, $3::int - 1) n`,
    [owner, id, bookingCount],
  )
  await pool.query('analyze crm_contacts, bookings')
}

/**
 * Returns a function that books the next free time through the route of the page. The proofs of work are computed before the measurement,
 * with the key of the installation.
 */
async function prepareBookings(url: string, links: readonly Link[], installationKey: string): Promise<() => Promise<boolean>> {
  setProofDifficulty({ iterations: 1, prefix: '0' })
  // the page tokens are 10 s old, because the server refuses a booking that is sent only some seconds after its page was opened
  const tokens = createPageTokens(installationKey, () => new Date(Date.now() - 10_000))
  const proofs = createProofOfWork(installationKey)
  const bodies: { link: string; body: string }[] = []
  for (const [index, link] of links.entries()) {
    // the days of the links differ, because the links have the same owner, who can have only one booking at a time
    const from = new Date(Date.now() + (100 + index * 100) * 24 * 60 * 60_000).toISOString().slice(0, 10)
    const times = await send('GET', `${url}/api/public/booking-links/${link.id}/times?timezone=Europe/London&days=60&from=${from}`)
    const { days }: { days: { times: { start_time: string }[] }[] } = JSON.parse(times)
    for (const { start_time } of days.flatMap((day) => day.times).slice(0, bookingsOfLink)) {
      const { id, token: page_token } = tokens.issue({ owner: link.owner, kind: 'booking link', id: link.id })
      const proof = await solveProof(proofs.createChallenge(id, usualWork))
      const email = `visitor${bodies.length}@example.org`
      bodies.push({
        link: link.id,
        body: JSON.stringify({ start_time, timezone: 'Europe/London', name: 'Mary', email, page_token, proof }),
      })
    }
  }
  let next = 0
  return async () => {
    const number = next++
    const booking = bodies[number]
    if (!booking) return false
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': `bench-${number}`,
      'x-forwarded-for': toAddress(100_000 + number),
    }
    await send('POST', `${url}/api/public/booking-links/${booking.link}/bookings`, headers, booking.body)
    return true
  }
}

/** Starts the bare server on a copy of the table of bookings. `book` inserts a booking at the next free time. */
async function openBareBookings(pool: pg.Pool, owner: string) {
  const client = await pool.connect()
  await copyToBareTables(client, ['profiles', 'booking_links', 'companies', 'crm_contacts', 'bookings'])
  client.release()
  const server = await startBareServer(pool.options.host ?? '')
  const first = Date.now() + 1000 * 24 * 60 * 60_000
  let next = 0
  return {
    book: async () => {
      const start = first + 30 * 60_000 * next++
      const [start_time, end_time] = [start, start + 15 * 60_000].map((time) => new Date(time).toISOString())
      await send(
        'POST',
        `http://127.0.0.1:${server.port}/api/bookings`,
        { owner },
        JSON.stringify({ title: 'Visit', start_time, end_time }),
      )
      return true
    },
    [Symbol.asyncDispose]: server.stop,
  }
}

export function formatBookings(report: BookingReport): string {
  const { cores, loadAverages, times, pages, bookings, formPages, answersPerSecond } = report
  const describe = ({ product, bare, ratio, cpu }: Rates, goal: number): string =>
    `${product.toFixed(0)}, of the bare server ${bare.toFixed(0)}; ratio ${ratio.toFixed(2)} (goal: at least ${goal}); CPU of one: Node ${cpu?.nodeMs.toFixed(2)} ms, PostgreSQL ${cpu?.postgresMs.toFixed(2)} ms`
  return [
    `Booking pages and forms, ${cores} cores, load ${loadAverages.before.toFixed(1)} to ${loadAverages.after.toFixed(1)}`,
    '',
    `Times of 60 days with ${bookingCount.toLocaleString('en')} bookings: median ${times.p50Ms.toFixed(1)} ms, p95 ${times.p95Ms.toFixed(1)} ms (goal: under ${goals.timesMs} ms)`,
    `Booking pages a second: ${describe(pages, goals.pages)}`,
    `Bookings a second: ${describe(bookings, goals.bookings)}`,
    `Form pages a second: ${describe(formPages, goals.pages)}`,
    `Answers to a form a second: ${answersPerSecond.toFixed(0)}`,
  ].join('\n')
}
