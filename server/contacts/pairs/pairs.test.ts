import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Pair } from '#contract/duplicates.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { createLabelledPairs } from '#server/testing/labelled-pairs.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

type Fields = Record<string, string>

const readPairs = async (person: Person): Promise<{ rows: Pair[]; more: boolean }> =>
  (await person.send({ url: '/api/contacts/duplicates' })).json()

/** Adds the contacts to a new workspace, and returns the pairs that are listed. */
async function scan(...contacts: Fields[]): Promise<{ person: Person; ids: string[]; pairs: Pair[] }> {
  const person = await signInAs(app, 'ada')
  const { add } = recordsOf(person, '/api/contacts')
  const ids: string[] = []
  for (const contact of contacts) ids.push((await add({ ...contact, allow_duplicate: true })).id)
  return { person, ids, pairs: (await readPairs(person)).rows }
}

const imara = { first_name: 'Imara', last_name: 'Vantongeren', email: 'imara@quillstone.test' }

test.each<[why: string, certainty: Pair['certainty'], one: Fields, other: Fields]>([
  [
    'Same email, initial instead of the first name',
    'certain',
    imara,
    { first_name: 'I.', last_name: 'Van Tongeren', email: 'Imara@Quillstone.test' },
  ],
  [
    'Same phone, almost the same name',
    'certain',
    { first_name: 'Ottoline', last_name: 'Freyberg', phone: '+44 20 7946 0118' },
    { first_name: 'Ottoline', last_name: 'Freyburg', mobile_phone: '020 7946 0118' },
  ],
  [
    'Same company, same name',
    'certain',
    { first_name: 'Dagny', last_name: 'Fairweathers', company: 'Oak & Pine Ltd' },
    { first_name: 'Dagny', last_name: 'Fairweathers', company: 'oak & pine' },
  ],
  [
    'Same name without the marks',
    'likely',
    { first_name: 'Søren', last_name: 'Nguyễn', email: 'soren@nguyen.test' },
    { first_name: 'Soren', last_name: 'Nguyen', phone: '+44 20 7946 0119' },
  ],
  [
    'First and last name swapped',
    'likely',
    { first_name: 'Anselm', last_name: 'Pickersgate' },
    { first_name: 'Pickersgate', last_name: 'Anselm' },
  ],
  [
    // not certain, because the emails differ
    'Same company, same name',
    'likely',
    { first_name: 'Greta', last_name: 'Steinbach', email: 'greta@steinbach.test', phone: '+49 40 123456', company: 'Steinbach KG' },
    { first_name: 'Greta', last_name: 'Steinbach', email: 'g.s@mail.test', mobile_phone: '+49 170 7654321', company: 'Steinbach KG' },
  ],
  [
    'Same street and number, one name is longer',
    'likely',
    { first_name: 'Tilda', last_name: 'Marchetti-Lund', mailing_street: '14 Chandler’s Row', mailing_city: 'Millgate' },
    { first_name: 'Tilda', last_name: 'Marchetti', mailing_street: 'Chandlers Row 14', mailing_city: 'Millgate' },
  ],
  [
    'Same company, initial instead of the first name',
    'likely',
    { first_name: 'Bastian', last_name: 'Oyelaran', company: 'Tidewick' },
    { first_name: 'B.', last_name: 'Oyelaran', company: 'Tidewick' },
  ],
])('a pair is listed with the reason "%s"', async (why, certainty, one, other) => {
  const { pairs, ids } = await scan(one, other)
  expect(pairs).toMatchObject([{ why, certainty }])
  expect(pairs.map(keyOf)).toEqual([ids.toSorted().join()])
})

test.each<[what: string, one: Fields, other: Fields]>([
  [
    'colleagues with one office phone',
    { first_name: 'Ada', last_name: 'Byron', email: 'ada@works.test', phone: '+44 20 7946 0243' },
    { first_name: 'Charles', last_name: 'Babbage', email: 'charles@works.test', phone: '+44 20 7946 0243' },
  ],
  [
    'a father and his son',
    { first_name: 'John', last_name: 'Harker', phone: '+44 20 7946 0244' },
    { first_name: 'John', last_name: 'Harker jr.', phone: '+44 20 7946 0244' },
  ],
  [
    'a couple',
    { first_name: 'Martin', last_name: 'Koch', phone: '+44 20 7946 0245', mailing_street: 'Am Markt 1' },
    { first_name: 'Martina', last_name: 'Koch', phone: '+44 20 7946 0245', mailing_street: 'Am Markt 1' },
  ],
  [
    'two people with one name in different companies',
    { first_name: 'Peter', last_name: 'Müller', email: 'peter@nord.test', company: 'Nord' },
    { first_name: 'Peter', last_name: 'Müller', email: 'mueller@sued.test', company: 'Süd' },
  ],
])('no pair is listed for %s', async (_what, one, other) => {
  expect((await scan(one, other)).pairs).toEqual([])
})

// 480 pairs, of which 300 are duplicates: at least 99 % of the listed pairs are duplicates, and at least 95 % of the duplicates are listed
test('the duplicates of a labelled set are listed, and hardly any other pairs', { timeout: 300_000 }, async () => {
  const missed: string[] = []
  const wrong: string[] = []
  let right = 0
  // each pattern has a workspace of its own, because contacts of different patterns may have the same name
  for (const [pattern, labelled] of Map.groupBy(createLabelledPairs(), (pair) => pair.pattern)) {
    const person = await signInAs(app, 'ada')
    const { add } = recordsOf(person, '/api/contacts')
    const isDuplicateOf = new Map<string, boolean>()
    for (const { one, other, isDuplicate } of labelled) {
      const pair = { contact: await add({ ...one, allow_duplicate: true }), other: await add({ ...other, allow_duplicate: true }) }
      isDuplicateOf.set(keyOf(pair), isDuplicate)
    }
    const listed = new Set((await readPairs(person)).rows.map(keyOf))
    for (const [key, isDuplicate] of isDuplicateOf) if (isDuplicate && !listed.has(key)) missed.push(pattern)
    for (const key of listed) if (!isDuplicateOf.get(key)) wrong.push(pattern)
    right += [...listed].filter((key) => isDuplicateOf.get(key)).length
  }
  expect(right / (right + wrong.length), wrong.join()).toBeGreaterThanOrEqual(0.99)
  expect(right / (right + missed.length), missed.join()).toBeGreaterThanOrEqual(0.95)
})

const keyOf = ({ contact, other }: { contact: { id: string }; other: { id: string } }): string => [contact.id, other.id].toSorted().join()

test('a dismissed pair is not listed again, until the dismissal is undone', async () => {
  const { person, ids, pairs } = await scan(imara, { ...imara, first_name: 'I.' })
  expect(pairs).toHaveLength(1)
  const [id, other_id] = ids
  const dismiss = (first = '', second = '') =>
    person.send({ method: 'POST', url: `/api/contacts/${first}/not-duplicate`, payload: { other_id: second } })
  const response = await dismiss(id, other_id)
  expect(response.statusCode, response.body).toBe(204)
  expect((await dismiss(other_id, id)).headers['foyer-change']).toBeUndefined() // the pair in the other order is the same
  expect((await readPairs(person)).rows).toEqual([])
  await undo(person, response)
  expect((await readPairs(person)).rows).toHaveLength(1)
  expect((await dismiss(id, id)).json()).toMatchObject({ code: 'invalid', fields: { other_id: 'Choose two different contacts' } })
  expect((await dismiss(id, (await scan(imara)).ids[0])).statusCode).toBe(404)
})

test('two duplicates are found among 5,000 contacts with one phone and one company, and at most 200 pairs are listed', async () => {
  const person = await signInAs(app, 'ada')
  await app.tableOwner.query(
    `insert into crm_contacts (user_id, first_name, last_name, email, phone, phone_key, company)
     select $1, translate(substr(md5(n::text), 1, 7), '0123456789', 'ghijklmnop'), translate(substr(md5(n::text), 9, 8), '0123456789', 'ghijklmnop'),
       'e' || n || '@works.test', '020 7946 0118', '+442079460118', 'Works' from generate_series(1, 5000) n`,
    [person.id],
  )
  const { add } = recordsOf(person, '/api/contacts')
  const samePhone = { phone: '020 7946 0118', allow_duplicate: true }
  const sameCompany = { company: 'Works', allow_duplicate: true }
  await add({ first_name: 'Ottoline', last_name: 'Freyberg', ...samePhone })
  await add({ first_name: 'Ottoline', last_name: 'Freyburg', ...samePhone, ...sameCompany })
  expect(await readPairs(person)).toMatchObject({ rows: [{ why: 'Same phone, almost the same name' }], more: false })
  // these are only 24 pairs: in a group of more than eight, each contact is paired with the next one
  for (let count = 0; count < 25; count++) await add({ first_name: 'Tilda', last_name: 'Lund', email: 'tilda@lund.test', ...sameCompany })
  // `n / 2` is rounded down, so each email belongs to two contacts
  await app.tableOwner.query(
    `insert into crm_contacts (user_id, first_name, last_name, email)
     select $1, 'Person', 'Number', 'n' || n / 2 || '@works.test' from generate_series(1, 600) n`,
    [person.id],
  )
  const { rows: pairs, more } = await readPairs(person)
  expect([pairs.length, more]).toEqual([200, true])
})
