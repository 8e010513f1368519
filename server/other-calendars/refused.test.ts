// Addresses at which there is no calendar are refused with a message for the user, and hostile files are bounded in time and memory.
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { startCalendarServer, toCalendar, toEvent, type CalendarServer } from '#server/testing/calendar-server.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { setCalendarTimeout } from './download.ts'
import { setFileTimeout } from './read-file.ts'

let app: TestApp
let server: CalendarServer
let ada: Person
beforeAll(async () => {
  server = await startCalendarServer()
  app = await openTestApp({
    allowedHosts: ['127.0.0.1'],
    lookup: (_name, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  })
})
afterAll(async () => {
  await app.stop()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  server.setRespond(undefined)
  ada = await signInAs(app, 'ada')
})

const url = '/api/other-calendars'
const post = async (address: string) => {
  const response = await ada.send({ method: 'POST', url, payload: { name: 'Family', address } })
  return { status: response.statusCode, body: response.json() }
}

function sendEndless(response: ServerResponse): void {
  const send = (): void => {
    while (response.write('x'.repeat(1024 * 1024)));
  }
  response.on('drain', send)
  send()
}

const privateAddress = 'This address is in a private network. The operator of this server can allow it with FOYER_ALLOWED_HOSTS.'
const notEncrypted = 'Enter an address that begins with https:// or webcal://'
test.each([
  ['', 'Enter the address'],
  ['calendar', 'Enter an address like https://example.com/calendar.ics'],
  ['file:///etc/passwd', 'Enter an address like https://example.com/calendar.ics'],
  ['http://calendar.example/a.ics', notEncrypted],
  ['https://ada:word@calendar.example/a.ics', 'Enter an address without a user name and a password'],
  ['https://10.0.0.1/a.ics', privateAddress],
  ['webcal://calendar.example/a.ics', privateAddress], // the name leads to 127.0.0.1, but only the host 127.0.0.1 is allowed, not this name
  ['https://[::1]/a.ics', privateAddress],
  ['http://127.0.0.1:1/a.ics', 'Nothing answers at this address.'],
])('the address "%s" is refused with a message for the user', async (entered, sentence) => {
  expect(await post(entered)).toMatchObject({ status: 422, body: { fields: { address: sentence } } })
  expect((await ada.send({ url })).json()).toEqual({ rows: [] })
})

test.each<[string, Parameters<CalendarServer['setRespond']>[0], string]>([
  ['a missing file', (response) => void response.writeHead(404).end(), 'There is no calendar at this address.'],
  [
    'a refusal',
    (response) => void response.writeHead(403).end(),
    'The other calendar does not accept this address. Copy its secret address again.',
  ],
  [
    'a web page',
    (response) => void response.end('<!doctype html>'),
    'This address leads to something that is not a calendar. Copy the address that ends in .ics.',
  ],
  ['a file that never ends', sendEndless, 'The calendar is larger than 10 MB.'],
  [
    'a redirect to a private address',
    (response) => void response.writeHead(302, { location: 'https://169.254.169.254/' }).end(),
    privateAddress,
  ],
  [
    'a redirect without encryption',
    (response) => void response.writeHead(302, { location: 'http://calendar.example/' }).end(),
    'The address leads to one that is not encrypted (https).',
  ],
  [
    'a file that breaks off',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('BEGIN:VCALENDAR', () => response.destroy())
    },
    'The connection broke off before the response was complete.',
  ],
  [
    'a change to another protocol',
    (response) => void response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end(),
    'Nothing answers at this address.',
  ],
  [
    'endless redirects',
    (response, path) => void response.writeHead(302, { location: `${path}x` }).end(),
    'The address leads to too many others.',
  ],
])('%s is refused with a message for the user', async (_name, respond, sentence) => {
  server.setRespond(respond)
  expect(await post(server.url)).toMatchObject({ status: 422, body: { fields: { address: sentence } } })
})

test('a server that does not answer, and a file that takes too long or too much memory, are refused with a message for the user', async () => {
  setCalendarTimeout(300)
  server.setRespond(() => {})
  expect((await post(server.url)).body.fields.address).toBe('The calendar did not arrive within 0.3 seconds.')
  setCalendarTimeout(20_000)
  server.setRespond(undefined)
  // the message for a file that takes too much time or memory
  const tooMuchWork = 'The calendar has more repeating events than can be read.'
  setFileTimeout(1)
  expect((await post(server.url)).body.fields.address).toBe(tooMuchWork)
  setFileTimeout(15_000)
  const large = `DTSTART:20261124T100000Z|RDATE:${'20261124T100000Z,'.repeat(5000)}20261124T100000Z`
  server.setFile(toCalendar(...Array.from({ length: 110 }, (_, index) => toEvent(`UID:${index}|${large}`))))
  expect((await post(server.url)).body.fields.address).toBe(tooMuchWork)
})

test('an event with too many repetitions is unreadable, and the others are busy', async () => {
  const odd = toEvent('UID:odd|DTSTART:20000101T000000Z|DURATION:PT1S|RRULE:FREQ=MINUTELY')
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10).replaceAll('-', '')
  server.setFile(toCalendar(odd, toEvent(`UID:good|DTSTART:${tomorrow}T100000Z|DURATION:PT1H`)))
  expect(await post(`${server.url}odd.ics`)).toMatchObject({ status: 201, body: { busy_times: 1, unreadable_events: 1 } })
})
