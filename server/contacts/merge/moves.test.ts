import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addLinkedRow, readContactLinks } from '#server/testing/contact-links.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { createRandom, type Random } from '#server/testing/random.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const addContact = (person: Person, fields: Record<string, unknown> = {}) =>
  recordsOf(person, '/api/contacts').add({ first_name: 'Imara', last_name: 'Vantongeren', allow_duplicate: true, ...fields })
const merge = (person: Person, id: string, body: Record<string, unknown>) =>
  person.send({ method: 'POST', url: `/api/contacts/${id}/merge`, payload: body })

test('everything that refers to the other contact is moved, for every foreign key to contacts, and moved back by the undo', async () => {
  const person = await signInAs(app, 'ada')
  const [{ id }, other] = [await addContact(person), await addContact(person)]
  const links = await readContactLinks(app)
  expect(links.filter(({ isJournaled }) => !isJournaled)).toEqual([]) // the undo restores only journaled rows
  for (const { table, column } of links) await addLinkedRow(app, person, other.id, `${table}.${column}`)
  const before = await readOwnedRows(app, person.id)
  const response = await merge(person, id, { other_id: other.id })
  expect(response.statusCode, response.body).toBe(204)
  for (const { table, column } of links) {
    const { rows } = await app.tableOwner.query<{ contact: string }>(
      `select ${column} as contact from ${table} where user_id = $1 and ${column} is not null and ${column} in ($2, $3)`,
      [person.id, id, other.id],
    )
    expect(
      rows.map(({ contact }) => contact),
      `${table}.${column}`,
    ).toEqual([id])
  }
  await undo(person, response)
  expect(await readOwnedRows(app, person.id)).toEqual(before)
})

test('everything that refers to the other contact is moved if there are thousands of rows', async () => {
  const person = await signInAs(app, 'ada')
  const [{ id }, other] = [await addContact(person), await addContact(person)]
  await app.tableOwner.query(
    `insert into notes (user_id, contact_id, content) select $1, $2, 'Note ' || n from generate_series(1, 3000) n`,
    [person.id, other.id],
  )
  const before = await readOwnedRows(app, person.id)
  const response = await merge(person, id, { other_id: other.id })
  expect(response.statusCode, response.body).toBe(204)
  const { rows } = await app.tableOwner.query('select count(*)::int as count from notes where user_id = $1 and contact_id = $2', [
    person.id,
    id,
  ])
  expect(rows).toEqual([{ count: 3000 }])
  await undo(person, response)
  expect(await readOwnedRows(app, person.id)).toEqual(before)
})

test('everything that refers to the other contact is deleted if the merged contact has an equal row already, and comes back with the undo', async () => {
  const person = await signInAs(app, 'ada')
  const [one, other, third] = [await addContact(person), await addContact(person), await addContact(person)]
  const dismiss = (id: string, other_id: string) =>
    person.send({ method: 'POST', url: `/api/contacts/${id}/not-duplicate`, payload: { other_id } })
  for (const [first, second] of [
    [one, third],
    [third, other],
    [one, other],
  ] as const) {
    expect((await dismiss(first.id, second.id)).statusCode).toBe(204)
  }
  const before = await readOwnedRows(app, person.id)
  const response = await merge(person, one.id, { other_id: other.id })
  expect(response.statusCode, response.body).toBe(204)
  const { rows } = await app.tableOwner.query('select contact_id, other_id from distinct_contacts where user_id = $1', [person.id])
  expect(rows).toEqual([{ contact_id: one.id, other_id: third.id }])
  await undo(person, response)
  expect(await readOwnedRows(app, person.id)).toEqual(before)
})

test('random workspaces are the same after merges and their undos', { timeout: 300_000 }, async () => {
  const seedCount = process.env['FOYER_FULL'] === '1' ? 12 : 4 // FOYER_FULL=1 runs tests with larger numbers
  for (let seed = 1; seed <= seedCount; seed++) {
    const person = await signInAs(app, 'ada')
    const random = createRandom(seed)
    const ids = await addRandomRecords(person, random)
    const before = await readOwnedRows(app, person.id)
    const changes: { headers: Record<string, unknown> }[] = []
    for (const [first, second] of [ids.slice(0, 2), [ids[0] ?? '', ids[2] ?? ''], ids.slice(3, 5)]) {
      const fields = Object.fromEntries(
        ['first_name', 'email', 'company', 'reports_to_id'].map((field) => [field, random.pick(['this', 'other'])]),
      )
      const response = await merge(person, first ?? '', { other_id: second, fields })
      expect(response.statusCode, `seed ${seed}: ${response.body}`).toBe(204)
      changes.unshift(response)
    }
    for (const change of changes) await undo(person, change)
    expect(await readOwnedRows(app, person.id), `seed ${seed}`).toEqual(before)
  }
})

/** Adds contacts with random values and random records that refer to them. Returns the ids of the contacts. */
async function addRandomRecords(person: Person, random: Random): Promise<string[]> {
  await recordsOf(person, '/api/companies').add({ name: 'Quillstone' })
  const ids: string[] = []
  for (let count = 0; count < 6; count++) {
    const contact = await addContact(person, {
      first_name: random.pick(['Imara', 'I.', 'Zoë']),
      email: random.pick(['', 'imara@quillstone.test', `e${count}@quillstone.test`]),
      phone: random.pick(['', '020 7946 0118']),
      company: random.pick(['', 'quillstone', 'Elsewhere']),
      tags: random.pick([[], ['Dental'], ['dental', 'Newsletter']]),
      ...(ids.length > 0 && random.hasChance(0.5) && { reports_to_id: random.pick(ids) }),
    })
    ids.push(contact.id)
    if (random.hasChance(0.3))
      await app.tableOwner.query(`update crm_contacts set raw_data = $3 where user_id = $1 and id = $2`, [
        person.id,
        contact.id,
        { a: count, b: 1 },
      ])
  }
  for (const { table, column } of await readContactLinks(app)) {
    if (random.hasChance(0.8)) await addLinkedRow(app, person, random.pick(ids), `${table}.${column}`)
  }
  return ids
}
