// Links the imported contacts to their managers when all rows are stored, because a manager may be in a later row than the contact.
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { inGroup } from '#server/platform/journal/groups.ts'
import { nameColumn } from '../check-record.ts'
import type { StoredImport } from '../imports.store.ts'
import { shorten } from '../inspect.ts'
import { findContacts } from '../records/find-linked.ts'

const linksPerTransaction = 500

type NamedLink = { id: string; record_id: string; name: string; number: number; line: number }
/** `manager`: the contact with this name; undefined if there is none or several have it. */
type WantedLink = { contact: string; name: string; number: number; line: number; manager: string | undefined }
type Link = { contact: string; manager: string }

/**
 * Links the contacts of `import_links`, which has only those that are not linked yet, so another call continues after a crash. Returns false
 * if it has ended early, because `isTurnOver` was true.
 */
export async function linkManagers(
  { database }: AppContext,
  caller: Caller,
  stored: StoredImport,
  signal: AbortSignal,
  isTurnOver: () => Promise<boolean>,
): Promise<boolean> {
  if (stored.kind !== 'contact' || stored.change_id === null) return true
  const column = stored.mapping.findIndex(({ field }) => field === 'reports_to')
  const header = nameColumn(stored.mapping[column], column)
  const group = { group: stored.change_id, label: 'Linked managers', steps: 0, isLarge: true }
  const hasMore = async (): Promise<boolean> =>
    (
      await database.read(caller, () =>
        sql('select from import_links where user_id = $1 and import_id = $2 limit 1', [caller.owner, stored.id]),
      )
    ).length > 0
  while (await hasMore()) {
    signal.throwIfAborted()
    await inGroup(database, caller, group, () => linkSome(caller.owner, stored.id, header))
    if (await isTurnOver()) return false
  }
  return true
}

async function linkSome(owner: string, importId: string, header: string): Promise<void> {
  const named = await sql<NamedLink>(
    `delete from import_links where user_id = $1 and id = any(array(
       select id from import_links where user_id = $1 and import_id = $2 order by id limit ${linksPerTransaction}
     )) returning id, record_id, name, number, line`,
    [owner, importId],
  )
  const inOrder = named.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const managers = await findContacts(
    owner,
    inOrder.map(({ name }) => name),
  )
  const wanted = inOrder.map(({ record_id: contact, name, number, line }): WantedLink => {
    return { contact, name, number, line, manager: managers.get(name) }
  })
  const links = wanted.flatMap(({ contact, manager }) => (manager !== undefined && manager !== contact ? [{ contact, manager }] : []))
  const allowed = await withoutCircles(owner, links)
  await setManagers(owner, [...allowed.values()])
  const isLinked = (contact: string, manager: string | undefined): boolean => allowed.get(contact)?.manager === manager
  const unlinked = wanted.filter(({ contact, manager }) => manager === undefined || !isLinked(contact, manager))
  await Promise.all([storeUnlinkedNames(owner, header, unlinked), reportUnlinkedNames(owner, importId, header, unlinked)])
}

/** Returns the links by contact, in their order, without those that would make a contact report to itself through others. */
async function withoutCircles(owner: string, links: readonly Link[]): Promise<Map<string, Link>> {
  const allowed = new Map<string, Link>()
  if (links.length === 0) return allowed
  // the lock of `app.refuse_circle`, so that no edit creates a circle at the same time
  const [, above] = await Promise.all([
    sql(`select pg_advisory_xact_lock(hashtextextended('superiors ' || $1, 0))`, [owner]),
    sql<{ id: string; manager: string | null }>(
      `with recursive above as (
         select id, reports_to_id from crm_contacts where user_id = $1 and id = any($2)
         union select c.id, c.reports_to_id from above a join crm_contacts c on c.user_id = $1 and c.id = a.reports_to_id
       ) select id, reports_to_id as manager from above`,
      [owner, [...new Set(links.flatMap(({ contact, manager }) => [contact, manager]))]],
    ),
  ])
  const managerOf = new Map(above.map(({ id, manager }) => [id, manager]))
  for (const link of links) {
    if (!managerOf.has(link.contact) || reaches(managerOf, link.manager, link.contact)) continue
    managerOf.set(link.contact, link.manager)
    allowed.set(link.contact, link)
  }
  return allowed
}

/** Whether `contact` is `manager` or above it. */
function reaches(managerOf: ReadonlyMap<string, string | null>, manager: string, contact: string): boolean {
  const visited = new Set<string>()
  for (let id: string | null | undefined = manager; id && !visited.has(id); id = managerOf.get(id)) {
    if (id === contact) return true
    visited.add(id)
  }
  return false
}

async function setManagers(owner: string, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  await sql(
    `update crm_contacts c set reports_to_id = new.manager from unnest($2::uuid[], $3::uuid[]) new (contact, manager)
     where c.user_id = $1 and c.id = new.contact and c.reports_to_id is distinct from new.manager`,
    [owner, links.map(({ contact }) => contact), links.map(({ manager }) => manager)],
  )
}

/** Stores in `raw_data` the names of managers that were not linked. */
async function storeUnlinkedNames(owner: string, header: string, names: readonly { contact: string; name: string }[]): Promise<void> {
  const distinct = [...new Map(names.map((each) => [each.contact, each])).values()]
  if (distinct.length === 0) return
  await sql(
    `update crm_contacts c set raw_data = coalesce(c.raw_data, '{}') || jsonb_build_object($4::text, new.name)
     from unnest($2::uuid[], $3::text[]) new (contact, name)
     where c.user_id = $1 and c.id = new.contact and c.raw_data ->> $4 is distinct from new.name`,
    [owner, distinct.map(({ contact }) => contact), distinct.map(({ name }) => name), header],
  )
}

/** Reports the names as remarks on their rows. A row that has a remark already is not counted again. */
async function reportUnlinkedNames(owner: string, importId: string, header: string, unlinked: readonly WantedLink[]): Promise<void> {
  if (unlinked.length === 0) return
  const remarks = unlinked.map(({ name, manager, number, line }) => ({
    id: newId(),
    number,
    line,
    reason: describeUnlinked(name, manager),
  }))
  await sql(
    `with remarks as (
       select id, number, line, reason from json_populate_recordset(null::import_rows, $4)
     ), added as (
       insert into import_rows (user_id, import_id, id, number, line, status, column_header, reason, cells)
       select $1, $2, id, number, line, 'remark', $3, reason, '{}' from remarks
     ) update imports set with_remarks_count = with_remarks_count + (
         select count(distinct number) from remarks where not exists (
           select from import_rows r where r.user_id = $1 and r.import_id = $2 and r.status = 'remark' and r.number = remarks.number)
       ) where user_id = $1 and id = $2`,
    [owner, importId, header, JSON.stringify(remarks)],
  )
}

const describeUnlinked = (name: string, manager: string | undefined): string =>
  `“${shorten(name, 60)}” is kept as additional data, because ${
    manager === undefined ? 'no contact or several have this name' : 'this person reports to the contact already, perhaps through others'
  }.`
