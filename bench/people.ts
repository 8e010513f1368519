import pg from 'pg'
import { addPeople } from '../scripts/demo-people.ts'
import { createDatabase } from '#server/platform/database/database.ts'
import { visitDatabase } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { newToken } from '#server/platform/security/token.ts'

/** A contact that requests are about, and who may ask for it. */
export type Person = { owner: string; token: string; id: string; email: string; phone: string; last_name: string; company: string }

const ownerCount = 50
/** So many contacts of each owner are asked for. */
const asked = 200

/**
 * Fills the product in this data folder with contacts of 50 signed-in owners, journaled as any others, and a bare table beside them
 * with the same. Answers some of them, and the folder of the database's socket.
 */
export async function addOwners(folder: string, contacts: number): Promise<{ people: Person[]; socketFolder: string }> {
  const visited = await visitDatabase({ data: { folder, named: true }, external: undefined, secret: () => '' })
  const pool = openPool(visited.connections.application, 1, console.error)
  const database = createDatabase(pool)
  const owner = new pg.Client(visited.connections.owner)
  await owner.connect()
  const people: Person[] = []
  for (let number = 0; number < ownerCount; number++) {
    const { id, token } = await addOwner(owner, number)
    await addPeople(database, id, contacts / ownerCount)
    people.push(...(await somePeople(owner, id, token)))
  }
  await copyToBareTable(owner)
  await settle(owner)
  const { host } = owner
  await Promise.all([owner.end(), pool.end(), visited.stop()])
  return { people, socketFolder: host }
}

async function addOwner(owner: pg.Client, number: number): Promise<{ id: string; token: string }> {
  const id = newId()
  const { token, hash } = newToken()
  await owner.query(`insert into users (id, email, password_hash) values ($1, $2, 'none')`, [id, `owner${number}@foyer.example`])
  await owner.query(`insert into profiles (user_id, id, timezone, country, currency) values ($1, $1, 'Europe/London', 'GB', 'GBP')`, [id])
  await owner.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at) values ($1, $2, now(), now(), now() + interval '30 days')`,
    [id, hash],
  )
  return { id, token }
}

async function somePeople(owner: pg.Client, id: string, token: string): Promise<Person[]> {
  const { rows } = await owner.query<Omit<Person, 'owner' | 'token'>>(
    'select id, email, phone, last_name, company from crm_contacts where user_id = $1 order by md5(id::text) limit $2',
    [id, asked],
  )
  return rows.map((row) => ({ ...row, owner: id, token }))
}

/** The same columns, constraints, indexes and rows, without row security and triggers. */
async function copyToBareTable(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ columns: string; options: string }>(
    `select string_agg(attname, ', ' order by attnum) as columns,
       (select coalesce(array_to_string(reloptions, ', '), '') from pg_class where oid = 'crm_contacts'::regclass) as options
     from pg_attribute where attrelid = 'crm_contacts'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const { columns = '', options = '' } = rows[0] ?? {}
  await owner.query(`
    create table bare_contacts (like crm_contacts including all,
      foreign key (user_id) references users on delete cascade,
      foreign key (user_id, reports_to_id) references bare_contacts (user_id, id) on delete set null (reports_to_id) deferrable
    ) ${options && `with (${options})`};
    insert into bare_contacts (${columns}) select ${columns} from crm_contacts`)
}

/** Both tables as they are a while later, and nothing left to write for what was before. */
async function settle(owner: pg.Client): Promise<void> {
  await owner.query('vacuum (analyze) crm_contacts, bare_contacts')
  const administrator = new pg.Client({ host: owner.host, user: 'postgres', database: 'postgres' })
  await administrator.connect()
  await administrator.query('checkpoint')
  await administrator.end()
}
