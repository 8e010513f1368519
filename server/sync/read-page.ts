// Reads the contacts of another CRM in pages, so that none is missed and none is stored twice.
import type { CrmClient } from './client.ts'
import type { Connector, ContactPage, RemoteContact } from './connector.ts'
import { CrmFailure } from './failure.ts'

/**
 * Pages are found by the number of rows before them, which changes while rows are deleted in the other CRM. Each page therefore begins with
 * the last rows of the page before it, which show that no row was missed.
 */
const overlapRows = 20
/** A page whose contacts are all stored is read again this many times, because a proxy may have sent an earlier page. */
const maxRereads = 2
/** After more than this number of pages in a row without new contacts, the list of the other CRM is considered endless. */
const maxPagesWithoutNew = 10
/** How many rows earlier a page begins if more rows than the overlap were deleted. */
const rowsBack = 400

export type PageReader = {
  /** Reads the contacts that come after `position` rows and are not in `storedIds`. The result has the position of the next page. */
  readNext: (position: number, storedIds: ReadonlySet<string>) => Promise<RemoteContactsPage>
}
type RemoteContactsPage = { contacts: RemoteContact[]; unreadable: number; position: number; isLast: boolean }

export function createPageReader(
  { readContacts }: Connector,
  client: CrmClient,
  options: { changedSince: Date | undefined; companyNames: ReadonlyMap<string, string> },
): PageReader {
  let pagesWithoutNew = 0
  return {
    readNext: async (position, storedIds) => {
      const { page, skip } = await readOverlapping(position, storedIds)
      const contacts = contactsOf(page.rows).filter(({ id }) => !storedIds.has(id))
      pagesWithoutNew = contacts.length === 0 ? pagesWithoutNew + 1 : 0
      if (pagesWithoutNew > maxPagesWithoutNew) throw new CrmFailure('endless')
      const newRows = page.rows.slice(Math.max(0, position - skip)) // the rows of the overlap were counted with the page before
      return {
        contacts: [...new Map(contacts.map((contact) => [contact.id, contact])).values()],
        unreadable: newRows.length - contactsOf(newRows).length,
        position: skip + page.rows.length,
        isLast: page.isLast,
      }
    },
  }

  /** Reads a page that has a stored row, which shows that no row was missed. Begins earlier until the page has such a row. */
  async function readOverlapping(position: number, storedIds: ReadonlySet<string>): Promise<{ page: ContactPage; skip: number }> {
    let skip = Math.max(0, position - overlapRows)
    let rereads = 0
    for (;;) {
      const page = await readContacts(client, { ...options, skip })
      const contacts = contactsOf(page.rows)
      const isRepeated = !page.isLast && contacts.length > 0 && contacts.every(({ id }) => storedIds.has(id))
      if (isRepeated && rereads < maxRereads) {
        rereads++
        continue
      }
      // rows that are no contacts have no ids to compare, so a page that has only such rows is accepted
      const isAccepted = page.rows.length > 0 && (contacts.length === 0 || contacts.some(({ id }) => storedIds.has(id)))
      if (skip === 0 || isAccepted) return { page, skip }
      skip = Math.max(0, skip - rowsBack)
    }
  }
}

const contactsOf = (rows: ContactPage['rows']): RemoteContact[] => rows.filter((row) => row !== undefined)
