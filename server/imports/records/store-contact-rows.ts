// Stores the contacts of a batch of rows, with their notes. Their managers are linked when all rows are stored (job/link-managers.ts).
import type { ImportMode } from '#contract/imports.ts'
import { storeContacts, type ContactToStore } from '#server/contacts/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { ReadRecord } from '../mapping/read-record.ts'
import { toEmail, toFullName } from './find-linked.ts'
import { remarkTags, type FieldRemark, type RecordOutcome } from './outcome.ts'

/** The maximum length of a note. A longer text becomes several notes. */
const maxNoteLength = 20_000

type Options = { owner: string; importId: string; mode: ImportMode; managerColumn: string }
/** A row of the file: its position and its line, from 1. */
type Row = { number: number; line: number }
/** A record that exists now. `outcome` becomes `updated` if a note or a manager is added to a contact that is otherwise unchanged. */
type Stored = {
  id: string
  record: ReadRecord
  row: Row | undefined
  outcome: { status: 'created' | 'updated' | 'unchanged'; remarks: readonly FieldRemark[] }
}

/** Stores the contacts of the records, each of which has a row in `rows`. Existing notes with the same text are not added again. */
export async function storeContactRows(
  { owner, importId, mode, managerColumn }: Options,
  records: readonly ReadRecord[],
  rows: readonly Row[],
): Promise<RecordOutcome[]> {
  const results = await storeContacts(owner, records.map(toContact), mode)
  const stored: Stored[] = []
  const outcomes = results.map((result, index): RecordOutcome => {
    const record = records[index]
    if (!record || result.status === 'refused' || result.status === 'missing' || result.status === 'found') return result
    const outcome = { status: result.status, remarks: remarkTags(result.leftOutTags ?? []) }
    stored.push({ id: result.id, record, row: rows[index], outcome })
    return outcome
  })
  await addNotes(owner, stored)
  await addLinks(
    owner,
    importId,
    managerColumn,
    stored.filter(({ record }) => record.links['reports_to'] !== undefined),
  )
  return outcomes
}

const toContact = ({ fields, raw_data }: ReadRecord): ContactToStore => ({
  ...fields,
  ...(Object.keys(raw_data).length > 0 && { raw_data }),
})

async function addNotes(owner: string, stored: readonly Stored[]): Promise<void> {
  const pieces = stored.flatMap(({ id, record, outcome }) => splitNote(record.notes).map((content) => ({ contact: id, content, outcome })))
  const keyOf = ({ contact, content }: { contact: string; content: string }): string => `${contact} ${content}`
  // of equal notes of a contact, the first one is kept
  const distinct = [...new Map(pieces.toReversed().map((piece) => [keyOf(piece), piece])).values()].toReversed()
  if (distinct.length === 0) return
  const added = await sql<{ contact: string; content: string }>(
    `insert into notes (user_id, id, contact_id, content)
     select $1, new.id, new.contact, new.content from unnest($2::uuid[], $3::uuid[], $4::text[]) new (id, contact, content)
     where not exists (select from notes n where n.user_id = $1 and n.contact_id = new.contact and n.content = new.content)
     order by new.id returning contact_id as contact, content`,
    [owner, distinct.map(() => newId()), distinct.map(({ contact }) => contact), distinct.map(({ content }) => content)],
  )
  const keys = new Set(added.map(keyOf))
  for (const piece of distinct) if (keys.has(keyOf(piece)) && piece.outcome.status === 'unchanged') piece.outcome.status = 'updated'
}

/** Splits a long note at line breaks or spaces. */
function splitNote(text: string): string[] {
  const pieces: string[] = []
  let rest = text.trim()
  while (rest.length > maxNoteLength) {
    const start = rest.slice(0, maxNoteLength)
    const end = Math.max(start.lastIndexOf('\n'), start.lastIndexOf(' '), lengthOfStart(rest, maxNoteLength / 2))
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return [...pieces, rest].filter((piece) => piece !== '')
}

/** Returns the length of the beginning of a text, of at most `length`, that does not end in the middle of a character. */
const lengthOfStart = (text: string, length: number): number => (text.slice(0, length).isWellFormed() ? length : length - 1)

/**
 * Stores the names of managers, which are linked at the end of the import. A contact that already has this manager stays unchanged, and so
 * does one whose raw data have the name, because an earlier import could not link it.
 */
async function addLinks(owner: string, importId: string, managerColumn: string, stored: readonly Stored[]): Promise<void> {
  if (stored.length === 0) return
  const names = stored.map(({ record }) => record.links['reports_to'] ?? '')
  const linked = await sql<{ position: number }>(
    `select position::int from unnest($2::uuid[], $3::text[], $5::text[], $6::text[]) with ordinality new (id, name, as_name, email, position)
     join crm_contacts c on c.user_id = $1 and c.id = new.id left join crm_contacts m on m.user_id = $1 and m.id = c.reports_to_id
     where app.fold(m.name) = app.fold(new.as_name) or (new.email <> '' and m.email_key = new.email) or c.raw_data ->> $4 = new.name`,
    [owner, stored.map(({ id }) => id), names, managerColumn, names.map(toFullName), names.map(toEmail)],
  )
  const known = new Set(linked.map(({ position }) => position - 1))
  const added = stored.filter((_, index) => !known.has(index))
  for (const { outcome } of added) if (outcome.status === 'unchanged') outcome.status = 'updated'
  await sql(
    `insert into import_links (user_id, id, import_id, record_id, name, number, line)
     select $1, id, $2, record_id, name, number, line from json_populate_recordset(null::import_links, $3)`,
    [
      owner,
      importId,
      JSON.stringify(
        added.map(({ id, record, row }) => ({
          id: newId(),
          record_id: id,
          name: record.links['reports_to'] ?? '',
          number: 0,
          line: 0,
          ...row,
        })),
      ),
    ],
  )
}
