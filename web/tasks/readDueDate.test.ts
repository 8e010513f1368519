import { expect, test } from 'vitest'
import { readDueDate } from './readDueDate.ts'

const today = '2026-11-22' // a Sunday; the next Friday is 2026-11-27
const british = { order: ['day', 'month', 'year'], separator: '/' } as const
const german = { order: ['day', 'month', 'year'], separator: '.' } as const
const american = { order: ['month', 'day', 'year'], separator: '/' } as const
const read = (title: string) => readDueDate(title, { today, dayFormat: british })

test.each([
  ['call the supplier fri 3pm', '2026-11-27', 'call the supplier 3pm'],
  ['Send offer Friday', '2026-11-27', 'Send offer'],
  ['Call Friday', '2026-11-27', 'Call'],
  ['Call Imara fri', '2026-11-27', 'Call Imara'],
  ['Call Imara Friday 3pm', '2026-11-27', 'Call Imara 3pm'],
  ['Call Imara on Friday', '2026-11-27', 'Call Imara'],
  ['Call Imara next Friday', '2026-11-27', 'Call Imara'],
  ['Can you call friday?', '2026-11-27', 'Can you call?'],
  ['pay the rent (Friday)', '2026-11-27', 'pay the rent'],
  ['pay the rent (by Friday)', '2026-11-27', 'pay the rent'],
  ['pay the rent, due by friday', '2026-11-27', 'pay the rent'],
  ['keep the van until friday', '2026-11-27', 'keep the van'],
  ['pay on the 1st of December', '2026-12-01', 'pay'],
  ['fri: call supplier', '2026-11-27', 'call supplier'],
  ['Fri, call supplier', '2026-11-27', 'call supplier'],
  ['on 27 november call Imara', '2026-11-27', 'call Imara'],
  ['3pm on friday call Imara', '2026-11-27', '3pm call Imara'],
  ['Friday 9-10am: call Imara', '2026-11-27', '9-10am: call Imara'],
  ['report by friday', '2026-11-27', 'report'],
  ['pay the invoice in 3 days', '2026-11-25', 'pay the invoice'],
  ['pay by 4/12', '2026-12-04', 'pay'],
  ['pay 4/12/2026', '2026-12-04', 'pay'],
  ['call tomorrow evening', '2026-11-23', 'call evening'],
  ['call today', today, 'call'],
  ['ask tonight', today, 'ask tonight'],
  ['move the meeting of monday on wed', '2026-11-25', 'move the meeting of monday'],
])('%s is due on %s with the title "%s"', (title, due_date, titleWithoutDate) => {
  expect(read(title)).toMatchObject({ due_date, title: titleWithoutDate })
})

test.each([
  'Meet at 5 Friday Street',
  'Prepare Black Friday sale',
  'Prepare the black friday',
  'Black Friday',
  'Visit Mr Friday',
  'Read USA Today',
  'Today show tickets',
  'On Friday Street repair the lamp',
  'call friday at 3pm about the oak',
  'Send 1/2 of the order',
  'Order 1/2',
  'Read chapter 3/4',
  'pay rent 1.12.',
  'clean every friday',
  'book a table for friday',
  'the invoice is due friday', // the rest, "the invoice is", would be no title
  'call mon, wed',
  'fri: call by 3 december',
  'call at 3pm',
  'call in 2 hours',
  'call the plumber in may',
  'mon - wed fair',
  'the report from monday',
  'the day after tomorrow',
  'the invoice of 21/11/2026',
  'call last friday',
  'buy sun cream',
  'lie in the sun',
  'call 020 7946 0018',
  'call on 1 jan 2300',
  'friday',
])('%s has no due date', (title) => {
  expect(read(title)).toBeUndefined()
})

test.each(['pay rent 1.12.', 'pay rent on 1.12.', 'pay rent by 1.12', 'pay rent 1.12.2026', '1.12.: pay rent'])(
  '%s is due on the 1st of December in countries that write the day, a dot and the month',
  (title) => {
    expect(readDueDate(title, { today, dayFormat: german })).toMatchObject({ due_date: '2026-12-01', title: 'pay rent' })
  },
)

test.each(['pay rent 1.12', 'Install version 1.12.', 'call at 9.10.', 'Send 1/2 of the order', 'Read chapter 3/4'])(
  '%s has no due date in countries that write the day, a dot and the month',
  (title) => {
    expect(readDueDate(title, { today, dayFormat: german })).toBeUndefined()
  },
)

test('in a country that writes the month first, 12/4 is the 4th of December', () => {
  expect(readDueDate('pay by 12/4', { today, dayFormat: american })).toMatchObject({ due_date: '2026-12-04' })
})

test.each([
  ['call fri 3pm', true],
  ['call fri', false],
  ['ask tonight', false],
])('%j has words for a time of day that are not part of the date: %j', (title, hasTime) => {
  expect(read(title)).toMatchObject({ hasTime })
})
