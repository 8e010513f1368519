import { expect, test } from 'vitest'
import { measureCpuMs } from '#server/testing/cpu.ts'
import type { ImportedKind } from './column-mapping.ts'
import { mapColumns } from './map-columns.ts'
import { measure } from './testing/corpus.ts'

// the mapper was developed with the sets of headers in known.txt; the sets in untouched.txt were written before the mapper, and the mapper
// was never adapted to them
test.each<[ImportedKind, string, number]>([
  ['contact', 'known.txt', 40],
  ['contact', 'untouched.txt', 20],
  ['company', 'companies.txt', 4],
  ['deal', 'deals.txt', 5],
  ['task', 'tasks.txt', 4],
])('mapColumns maps at least 97 percent of the columns of a %s in %s, and none wrongly to an email or a phone', (kind, file, minSets) => {
  const { sets, wrong, accuracy, wrongEmailsAndPhones } = measure(kind, file)
  expect(sets).toBeGreaterThanOrEqual(minSets)
  expect(accuracy, wrong.join('\n')).toBeGreaterThanOrEqual(0.97)
  expect(wrongEmailsAndPhones).toBe(0)
})

const emails = ['ada@example.org', 'grace@example.org', 'alan@example.org']
const phones = ['+44 20 7946 0118', '+44 20 7946 0119', '+44 20 7946 0120']

test.each([
  ['Owner email', emails],
  ['E-Mail des Betreuers', emails],
  ['E-mail de l’assistante', emails],
  ['Email del vendedor', emails],
  ['E-mail opiekuna', emails],
  ['Manager email', emails],
  ['Billing email', emails],
  ['Rechnungs-E-Mail', emails],
  ['Emergency contact email', emails],
  ['Email status', ['valid', 'bounced', 'valid']],
  ['Email', ['yes', 'no', 'yes']],
  ['Email opt-out', ['yes', 'no', '']],
  ['Fax', phones],
  ['Faxnummer (geschäftlich)', phones],
  ['Pager', phones],
  ['Assistant phone', phones],
  ['Téléphone du conjoint', phones],
])('mapColumns never maps a column "%s" with the values %j', (header, samples) => {
  expect(mapColumns('contact', [{ header, samples }])[0]?.field).toBeNull()
})

test.each([
  ['First name', 'first_name', ['Ann1', 'Ann2', 'Ann3']],
  ['Title', 'title', ['Level 1', 'Level 2', 'Level 3']],
])('mapColumns maps a column "%s" to %s if its values have letters and a number', (header, field, samples) => {
  const lastName = { header: 'Last name', samples: ['Lee', 'Ray', 'Roe'] }
  expect(mapColumns('contact', [{ header, samples }, lastName])).toMatchObject([{ field, certainty: 'sure' }, { field: 'last_name' }])
})

test.each([
  ['First name', ['1', '2', '3']],
  ['Title', ['1,200', '1,300', '€ 40']],
])('mapColumns does not map a column "%s" with the numbers %j', (header, samples) => {
  expect(mapColumns('contact', [{ header, samples }])).toMatchObject([{ field: null, reason: 'content_contradicts' }])
})

test('mapColumns does not map a column "Phone" with dates without separators', () => {
  const dates = { header: 'Phone', samples: ['20121212', '20130401', '22334455'] }
  expect(mapColumns('contact', [dates])).toMatchObject([{ field: null, reason: 'content_contradicts' }])
})

test('mapColumns maps the phone of the company only if no column has a personal one', () => {
  const company = { header: 'Company phone', samples: phones }
  expect(mapColumns('contact', [company])).toMatchObject([{ field: 'phone', certainty: 'unsure' }])
  expect(mapColumns('contact', [company, { header: 'Mobile', samples: phones }])).toMatchObject([
    { field: null },
    { field: 'mobile_phone' },
  ])
})

test('mapColumns does not map an unknown header whose e-mails are repeated, because they may belong to the owners of the contacts', () => {
  const repeated = ['a@example.org', 'a@example.org', 'b@example.org']
  expect(mapColumns('contact', [{ header: 'Xyzzy', samples: repeated }])[0]?.field).toBeNull()
  expect(mapColumns('contact', [{ header: 'Xyzzy', samples: emails }])).toMatchObject([{ field: 'email', certainty: 'unsure' }])
})

test('mapColumns reads long headers and cells in less than a second of CPU time', async () => {
  const text = `${'1 '.repeat(20_000)}${'@'.repeat(1000)}${'-'.repeat(20_000)}`
  const columns = Array.from({ length: 20 }, () => ({ header: 'word'.repeat(5000), samples: Array.from({ length: 50 }, () => text) }))
  expect(await measureCpuMs(() => mapColumns('contact', columns))).toBeLessThan(1000)
})
