// Random writes to the linked tables (linked-tables.ts), for the tests that undo any sequence of writes.
import pg from 'pg'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Random } from './random.ts'

const texts = ['Ann', 'Bob', 'Zoë "q"', "D'Arc", '', 'null', '\\', '日本', 'x'.repeat(200)]
const objects = [{}, { a: { b: null } }, { a: [1, null, 'x'], n: 1.1 }, { z: 'é' }].map((value) => JSON.stringify(value))

/** Values for columns of `test_people`, including unusual ones. */
const values: Record<string, (random: Random) => unknown> = {
  first_name: ({ pick }) => pick([...texts, null]),
  city: ({ pick }) => pick([...texts, null]),
  custom: ({ pick }) => pick(objects),
  tags: ({ pick }) => pick([[], ['a', 'b'], ['x,y', '"q"', '']]),
  rating: ({ pick }) => pick([null, 1.5, 0, 99.99]),
  birthday: ({ pick }) => pick([null, '1980-02-29', '2001-01-01']),
  seen_at: ({ pick }) => pick([null, '2001-01-01 12:00:00.123456+05', '1970-01-01Z']),
  lasts: ({ pick }) => pick([null, '1 month 3 days 04:05:06.7', '-1 hour']),
  picture: ({ pick }) => pick([null, Buffer.from([0, 255, 92])]),
}

type RandomWriter = {
  random: Random
  run: (text: string, parameters?: unknown[]) => Promise<pg.QueryResult<{ id: string; email: string | null }>>
  /** Returns at most `count` random ids of a table. */
  pickIds: (table: string, count?: number) => Promise<string[]>
  /** Returns a random id, or null. */
  pickIdOrNull: (table: string) => Promise<string | null>
  readEmail: (id: string) => Promise<string | null>
}

/** Random writes by name. */
const operations: Record<string, (writer: RandomWriter) => Promise<unknown>> = {
  insertPeople: async ({ random, run, pickIdOrNull }) => {
    const emails = Array.from({ length: 1 + random.below(4) }, () => (random.hasChance(0.3) ? null : `e${random.uuid()}@x.test`))
    const name = random.pick(texts)
    const custom = random.pick(objects)
    const links = [await pickIdOrNull('test_companies'), await pickIdOrNull('crm_contacts')]
    await run(
      `insert into test_people (id, email, first_name, custom, company_id, contact_id)
       select p.id, p.email, $3, $4, $5, $6 from unnest($1::uuid[], $2::text[]) p (id, email)`,
      [emails.map(() => random.uuid()), emails, name, custom, ...links],
    )
  },
  insertCompany: async ({ random, run, pickIdOrNull }) =>
    run('insert into test_companies (id, title, domain, parent_id) values ($1, $2, $3, $4)', [
      random.uuid(),
      random.pick(texts),
      random.hasChance(0.5) ? null : `d${random.uuid()}`,
      await pickIdOrNull('test_companies'),
    ]),
  insertContact: async ({ random, run, pickIdOrNull }) =>
    run('insert into crm_contacts (id, first_name, raw_data, reports_to_id) values ($1, $2, $3, $4)', [
      random.uuid(),
      random.pick(texts),
      random.pick([null, ...objects]),
      await pickIdOrNull('crm_contacts'),
    ]),
  insertNotes: async ({ random, run, pickIds }) => {
    for (const person of await pickIds('test_people'))
      await run('insert into test_notes (id, person_id, body) values ($1, $2, $3), ($4, $2, $3)', [
        random.uuid(),
        person,
        random.pick(texts),
        random.uuid(),
      ])
  },
  insertFile: async ({ random, run, pickIds }) => {
    for (const note of await pickIds('test_notes'))
      await run(`insert into test_files (id, note_id, bytes, object_key) values ($1, $2, 2 ^ 50, $3)`, [random.uuid(), note, random.uuid()])
  },
  insertDeal: async ({ random, run, pickIdOrNull }) =>
    run('insert into test_deals (id, title, amount, person_id, referrer_id, company_id) values ($1, $2, $3, $4, $5, $6)', [
      random.uuid(),
      random.pick(texts),
      random.below(1e6) / 100,
      await pickIdOrNull('test_people'),
      await pickIdOrNull('test_people'),
      await pickIdOrNull('test_companies'),
    ]),
  updatePeople: async ({ random, run, pickIds }) => {
    const columns = [...new Set([random.pick(Object.keys(values)), random.pick(Object.keys(values))])]
    const assignments = columns.map((column, index) => `${column} = $${index + 2}`).join(', ')
    await run(`update test_people set ${assignments} where id = any ($1)`, [
      await pickIds('test_people', 1 + random.below(4)),
      ...columns.map((column) => values[column]?.(random)),
    ])
  },
  updateMany: ({ random, run }) =>
    run('update test_people set city = $1 where md5(id::text) < $2', [random.pick(texts), random.pick(['1', '3', '8'])]),
  updateContacts: async ({ random, run, pickIds, pickIdOrNull }) =>
    run('update crm_contacts set first_name = $1, reports_to_id = $2 where id = any ($3)', [
      random.pick(texts),
      await pickIdOrNull('crm_contacts'),
      await pickIds('crm_contacts', 2),
    ]),
  moveNotes: async ({ run, pickIds }) => {
    for (const person of await pickIds('test_people'))
      await run(`update test_notes set person_id = $1, body = body || '.' where id = any ($2)`, [person, await pickIds('test_notes', 2)])
  },
  updateDeals: async ({ random, run, pickIds, pickIdOrNull }) =>
    run('update test_deals set person_id = $1, stage = $2, position = position + 1 where id = any ($3)', [
      await pickIdOrNull('test_people'),
      random.pick(['new', 'won']),
      await pickIds('test_deals', 2),
    ]),
  updateCompany: async ({ random, run, pickIds, pickIdOrNull }) =>
    run('update test_companies set city = $1, parent_id = $2 where id = any ($3)', [
      random.pick(texts),
      await pickIdOrNull('test_companies'),
      await pickIds('test_companies'),
    ]),
  swapEmails: async ({ run, pickIds, readEmail }) => {
    const [firstPerson, secondPerson] = await pickIds('test_people', 2)
    if (!firstPerson || !secondPerson) return
    const emails = [await readEmail(firstPerson), await readEmail(secondPerson)]
    await run('update test_people set email = null where id = $1', [firstPerson])
    await run('update test_people set email = $2 where id = $1', [secondPerson, emails[0]])
    await run('update test_people set email = $2 where id = $1', [firstPerson, emails[1]])
  },
  moveEmail: async ({ random, run, pickIds, readEmail }) => {
    const [firstPerson, secondPerson] = await pickIds('test_people', 2)
    if (!firstPerson || !secondPerson) return
    const ownEmail = await readEmail(firstPerson)
    await run('update test_people set email = $2 where id = $1', [firstPerson, `n${random.uuid()}`])
    await run('update test_people set email = $2 where id = $1', [secondPerson, ownEmail])
  },
  reuseEmail: async ({ random, run, pickIds, readEmail }) => {
    for (const person of await pickIds('test_people')) {
      const oldEmail = await readEmail(person)
      await run('delete from test_people where id = $1', [person])
      await run(`insert into test_people (id, email, first_name) values ($1, $2, 'again')`, [random.uuid(), oldEmail])
    }
  },
  deletePeople: async ({ random, run, pickIds }) =>
    run('delete from test_people where id = any ($1)', [await pickIds('test_people', 1 + random.below(3))]),
  deleteCompanies: async ({ random, run, pickIds }) =>
    run('delete from test_companies where id = any ($1)', [await pickIds('test_companies', 1 + random.below(2))]),
  deleteContacts: async ({ random, run, pickIds }) =>
    run('delete from crm_contacts where id = any ($1)', [await pickIds('crm_contacts', 1 + random.below(2))]),
  deleteSome: async ({ random, run, pickIds }) => {
    const table = random.pick(['test_notes', 'test_files', 'test_deals'])
    await run(`delete from ${table} where id = any ($1)`, [await pickIds(table, 2)])
  },
  deleteAndInsertAgain: async ({ run, pickIds, readEmail }) => {
    for (const person of await pickIds('test_people')) {
      const oldEmail = await readEmail(person)
      await run('delete from test_people where id = $1', [person])
      await run(`insert into test_people (id, email, city) values ($1, $2, 'reborn')`, [person, oldEmail])
    }
  },
  merge: async ({ run, pickIds }) => {
    const [merged, remaining] = await pickIds('test_people', 2)
    if (!merged || !remaining) return
    await run('update test_notes set person_id = $2 where person_id = $1', [merged, remaining])
    await run(
      `update test_deals set person_id = case when person_id = $1 then $2 else person_id end,
         referrer_id = case when referrer_id = $1 then $2 else referrer_id end where $1 in (person_id, referrer_id)`,
      [merged, remaining],
    )
    const { rows } = await run('delete from test_people where id = $1 returning id, email', [merged])
    await run(`update test_people set email = coalesce(email, $2), tags = tags || '{merged}' where id = $1`, [remaining, rows[0]?.email])
  },
}

/** Inserts are three times as likely as other operations, so that tables do not become empty. */
const inserts = Object.keys(operations).filter((name) => name.startsWith('insert'))
const operationNames = [...Object.keys(operations), ...inserts, ...inserts]

/**
 * Makes one change set of one to six random operations. Returns its id, or undefined if it wrote no row. An operation that violates a
 * unique constraint is rolled back to its savepoint; the others are kept.
 */
export async function makeRandomChange(
  client: pg.PoolClient,
  { owner, actor }: Caller,
  random: Random,
  group?: string,
): Promise<string | undefined> {
  const writer = createWriter(client, random)
  await client.query('begin')
  await client.query(
    `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('app.label', 'Random', true)`,
    [owner, actor],
  )
  for (let remaining = 1 + random.below(6); remaining > 0; remaining--) {
    const name = random.pick(operationNames)
    await client.query('savepoint operation')
    await operations[name]?.(writer).catch(async (error: unknown) => {
      const isUniqueViolation = error instanceof pg.DatabaseError && error.code === '23505'
      if (!isUniqueViolation) throw new Error(name, { cause: error })
      await client.query('rollback to operation')
    })
  }
  const { rows } = await client.query<{ change: string | null }>('select app.current_change() as change')
  if (group) await client.query('select app.join_group($1, 1)', [group])
  await client.query('commit')
  return rows[0]?.change ?? undefined
}

function createWriter(client: pg.PoolClient, random: Random): RandomWriter {
  const run: RandomWriter['run'] = (text, parameters) => client.query(text, parameters)
  const pickIds: RandomWriter['pickIds'] = async (table, count = 1) => {
    const { rows } = await run(`select id from ${table} order by md5(id::text || $1) limit $2`, [random.uuid(), count])
    return rows.map(({ id }) => id)
  }
  return {
    random,
    run,
    pickIds,
    pickIdOrNull: async (table) => random.pick([...(await pickIds(table)), null]),
    readEmail: async (id) => (await run('select id, email from test_people where id = $1', [id])).rows[0]?.email ?? null,
  }
}
