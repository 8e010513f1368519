// What of imported rows is not stored in its field, in the preview and in the report.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImportKind } from '#contract/imports.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let imports: ReturnType<typeof importsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  imports = importsOf(ada)
})

/** Imports a file. Returns the remarks of the preview and of the report, each with the line, the column and the sentence. */
async function readRemarks(kind: ImportKind, lines: readonly string[]) {
  const uploaded = await imports.upload(lines.join('\n'), { kind, fileName: 'records.csv' })
  const preview = uploaded.table.preview.flatMap(({ line, record }) =>
    record.remarks.map(({ column, reason }) => `${line} ${column}: ${reason}`),
  )
  await imports.start(uploaded.id)
  const { with_remarks, created, updated, skipped, failed } = await imports.waitForEnd(uploaded.id)
  const report = (await imports.rows(uploaded.id, 'remark')).map(({ line, column, reason }) => `${line} ${column}: ${reason}`)
  return { preview, report, id: uploaded.id, counts: { with_remarks, created, updated, skipped, failed } }
}

test('of contacts, cells that are kept as additional data are reported with the reason', async () => {
  const tags = Array.from({ length: 21 }, (_, index) => `tag${index}`).join(';')
  const { preview, report, id, counts } = await readRemarks('contact', [
    'First name,Last name,Email,Phone,City,Tags,Shoe size',
    'Ann,Lee,ann@example.org,020 7946 0118,Rome,VIP,40',
    `Bob,Ray,bob@example,"020 7946 0119; 020 7946 0120; 020 7946 0121",${'x'.repeat(201)},${tags},41`,
    'Cy,Day,cy@example.org; cy@work.example,020 7946 0122 / 020 7946 0123,,,42',
    'Di,Fox,,tel: office / 020 7946 0124,,,43',
  ])
  const expected = [
    '3 Email: “bob@example” is not an email. It is kept as additional data.',
    '3 Phone: A contact has one phone and one mobile phone. The whole text “020 7946 0119; 020 7946 0120; 020 7946 0121” is kept as additional data.',
    `3 City: “${'x'.repeat(59)}…” is too long for this field. It is kept as additional data.`,
    `3 Tags: “${tags.slice(0, 59)}…” cannot be stored here: a record has at most 20 tags, of at most 50 characters each. It is kept as additional data.`,
    '4 Email: A contact has one email. The whole text “cy@example.org; cy@work.example” is kept as additional data.',
    '5 Phone: “tel: office / 020 7946 0124” has more than phone numbers. The whole text is kept as additional data.',
  ]
  expect(preview).toEqual(expected)
  expect(report).toEqual(expected)
  expect(counts).toEqual({ with_remarks: 3, created: 4, updated: 0, skipped: 0, failed: 0 })
  const { reasons } = (await ada.send({ url: `/api/imports/${id}/rows?status=remark&limit=1` })).json()
  expect(reasons).toHaveLength(6)
})

test('of other records, further values and times are left out, with a remark', async () => {
  expect(
    await readRemarks('company', [
      'Name,Email,Phone,Email 2',
      'Oak,a@oak.example; b@oak.example,020 7946 0118,c@oak.example',
      'Fir,a@fir.example,020 7946 0119 / 020 7946 0120,',
      'Elm,a@elm.example,Mobile: 020 7946 0121,',
    ]),
  ).toMatchObject({
    report: [
      '2 Email: A company has one email. The rest of “a@oak.example; b@oak.example” is left out.',
      '2 Email 2: A company has one email. “c@oak.example” is left out.',
      '3 Phone: A company has one phone. The rest of “020 7946 0119 / 020 7946 0120” is left out.',
    ],
    counts: { with_remarks: 2, created: 3 },
  })
  expect(await readRemarks('deal', ['Deal name,Stage,Status,Company', 'Boiler,Negotiation,Won,Nobody'])).toMatchObject({
    preview: ['2 Stage: A deal has one stage. “Negotiation” is left out.'],
    report: [
      '2 Stage: A deal has one stage. “Negotiation” is left out.',
      '2 Company: “Nobody” is in the description, because no company or several have this name.',
    ],
  })
  expect(
    await readRemarks('task', [
      'Task,Due date',
      'Call,2026-12-03 14:30',
      'Mail,2026-12-04 00:00:00',
      'Meet,12/31/2026 12:00 AM',
      'Eat,2026-12-05',
    ]),
  ).toMatchObject({ report: ['2 Due date: The time of “2026-12-03 14:30” is left out, because this field has only a date.'] })
})

test('an update says which tags and names are left out', async () => {
  const tags = Array.from({ length: 19 }, (_, index) => `tag${index}`)
  await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org', tags })
  await recordsOf(ada, '/api/companies').add({ name: 'Oak', tags })
  const contact = ['First name,Last name,Email,Tags', 'Ann,Lee,ann@example.org,new;newer']
  expect(await readRemarks('contact', contact)).toMatchObject({
    report: ['2 Tags: “newer” is left out, because the record then has 20 tags already.'],
    counts: { with_remarks: 1, updated: 1 },
  })
  const again = await readRemarks('contact', contact)
  expect(again.counts).toEqual({ with_remarks: 0, created: 0, updated: 0, skipped: 1, failed: 0 })
  expect(await imports.rows(again.id, 'skipped')).toMatchObject([
    { reason: '“newer” is left out, because the record then has 20 tags already.' },
  ])
  expect(await readRemarks('company', ['Name,Tags', 'Oak,new;newer'])).toMatchObject({
    report: ['2 Tags: “newer” is left out, because the record then has 20 tags already.'],
  })
  await recordsOf(ada, '/api/deals').add({ title: 'Boiler' })
  expect(await readRemarks('deal', ['Deal name,Value,Contact', 'Boiler,100,Nobody'])).toMatchObject({
    report: ['2 Contact: “Nobody” is left out, because no contact or several have this name.'],
    counts: { updated: 1 },
  })
})

test('managers that are not linked are reported with the row of the contact, and a row with several remarks counts once', async () => {
  const { report, counts } = await readRemarks('contact', [
    'First name,Last name,Email,Manager',
    'Ann,Lee,ann@example.org,Bob Ray',
    'Bob,Ray,bob@example.org,Ann Lee',
    'Cy,Day,"cy@example.org, cy@work.example",Nobody Known',
    'Dee,Fox,dee@example.org,Nobody Known',
  ])
  expect(report).toEqual([
    '3 Manager: “Ann Lee” is kept as additional data, because this person reports to the contact already, perhaps through others.',
    '4 Email: A contact has one email. The whole text “cy@example.org, cy@work.example” is kept as additional data.',
    '4 Manager: “Nobody Known” is kept as additional data, because no contact or several have this name.',
    '5 Manager: “Nobody Known” is kept as additional data, because no contact or several have this name.',
  ])
  expect(counts).toEqual({ with_remarks: 3, created: 4, updated: 0, skipped: 0, failed: 0 })
})
