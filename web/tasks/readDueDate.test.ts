import { expect, test } from 'vitest'
import { readDueDate } from './readDueDate.ts'

const today = '2026-11-22' // a Sunday
const read = (title: string) => readDueDate(title, { today, isMonthFirst: false })

test.each([
  ['call the supplier fri 3pm', '2026-11-27', 'call the supplier 3pm'],
  ['call friday at 3pm about the oak', '2026-11-27', 'call at 3pm about the oak'],
  ['3pm on friday call Imara', '2026-11-27', '3pm call Imara'],
  ['Friday 9-10am: call Imara', '2026-11-27', '9-10am: call Imara'],
  ['report by friday', '2026-11-27', 'report'],
  ['pay the invoice in 3 days', '2026-11-25', 'pay the invoice'],
  ['pay by 4/12', '2026-12-04', 'pay'],
  ['call tomorrow evening', '2026-11-23', 'call evening'],
  ['call today', today, 'call'],
  ['ask tonight', today, 'ask tonight'],
  ['move the meeting of monday on wed', '2026-11-25', 'move the meeting of monday'],
])('%s is due on %s with the title "%s"', (title, due_date, titleWithoutDate) => {
  expect(read(title)).toMatchObject({ due_date, title: titleWithoutDate })
})

test.each([
  'call at 3pm',
  'call in 2 hours',
  'call the plumber in may',
  'mon - wed fair',
  'the report from monday',
  'the day after tomorrow',
  'the invoice of 21/11/2026',
  'call last friday',
  'buy sun cream',
  'call 020 7946 0018',
  'call on 1 jan 2300',
  'friday',
])('%s has no due date', (title) => {
  expect(read(title)).toBeUndefined()
})

test('the country decides whether the month comes first', () => {
  expect(readDueDate('pay 12/4', { today, isMonthFirst: true })).toMatchObject({ due_date: '2026-12-04' })
})
