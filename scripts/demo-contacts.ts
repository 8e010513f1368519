// Adds contacts to the demo account. In the lists of this file, an empty text means that a contact does not have the value.
import { phoneKey } from '#server/contacts/phones.ts'
import type { Database } from '#server/platform/database/database.ts'
import { companyNames } from './demo-companies.ts'
import { addRows, pick, secondsAgo } from './demo-rows.ts'

const firstNames =
  'Imara Bastian Sunniva Tobiah Ottoline Kwabena Liesel Rufus Mirembe Anselm Yevanna Caspian Philippa Emeric Dagny Hollis Perpetua Zoë Łukasz Søren Amélie Björn Chiara Dmitri Eszter Farida Grzegorz Haruka Inés José Katarzyna Lior Müge Nadia Oskar Priya Quentin Rosalind Şebnem Tomás Ulrike Vikram Wren Ximena Yusuf Zainab'.split(
    ' ',
  )
const lastNames =
  'Vantongeren Ollerquist Thackerly Marchetti-Lund Freyberg Strickmoor Abernethwaite Delacombe Haldane-Osei Pickersgate Rostwick Underlough Nwosu-Garrand Saltonstone Fairweathers Brackenridge Langstroth Müller Kowalski Nguyễn Österberg Guðmundsdóttir Fernández Okonkwo Petrović Lindqvist Yamazaki Castellanos Dubois Achterberg'.split(
    ' ',
  )
const employers = [...companyNames, '', '']
const titles =
  'Practice manager,Head of facilities,Owner,Studio lead,Partner,Founder,Operations,Office manager,Buyer,Bursar,Director,Purchasing,,,'.split(
    ',',
  )
const descriptions =
  'Wants the waiting room done by spring,Asked for oak samples,Counter must be wide enough for two,Second branch planned,Met at the trade evening,Storage for 60 mats,Sent the revised quote,Needs drawings as PDF,Came in through the website,Deposit paid; waiting for delivery,,,,'.split(
    ',',
  )
const sources = ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other', '']
const cities = 'Millgate,Millgate,Harrowmere,Tidewick,Northquay,Coldharbour,'.split(',')
const tags = ['Fair 2026', 'Newsletter', 'Key account', 'Architect', '', '', '']

/** Adds contacts, each linked to its company if that company exists. The same `count` always creates the same contacts. */
export const addContacts = (database: Database, owner: string, count: number): Promise<void> =>
  addRows(database, owner, {
    plural: 'contacts',
    count,
    createRow: (index) => createContact(index, count),
    statement: `
      insert into crm_contacts (user_id, id, created_at, first_name, last_name, email, phone, phone_key, company, company_id, title, description,
        lead_source, mailing_city, tags)
      select $1, uuidv7(-ago), now() - ago, first_name, last_name, new_row.email, new_row.phone, phone_key, company, companies.id, title, description,
        lead_source, mailing_city, new_row.tags
      from json_to_recordset($2) new_row (seconds_ago int, first_name text, last_name text, email text, phone text, phone_key text, company text,
        title text, description text, lead_source text, mailing_city text, tags text[])
      cross join make_interval(secs => seconds_ago) ago
      left join companies on companies.user_id = $1 and companies.name = new_row.company and new_row.company <> ''
      order by seconds_ago desc`,
  })

/**
 * Creates the fields of one contact. The same index always gives the same contact. The factors of `index` have no meaning: they only make
 * the values look random.
 */
function createContact(index: number, count: number) {
  const first_name = pick(firstNames, index, { step: 7 })
  const last_name = pick(lastNames, index, { step: 11 })
  const company = pick(employers, index, { step: 5 })
  const digits = String(index % 10_000).padStart(4, '0')
  const phone = index % 6 === 4 ? '' : `+44 20 7946 ${digits}`
  const tag = pick(tags, index, { step: 3 })
  return {
    seconds_ago: secondsAgo(index, count),
    first_name,
    last_name,
    // names repeat after some hundred contacts, so all but the first 40 emails have a number
    email: `${toEmailPart(first_name)}.${toEmailPart(last_name)}${index < 40 ? '' : index}@${toEmailPart(company) || 'post'}.example`,
    phone,
    phone_key: phoneKey(phone, ''),
    company,
    title: pick(titles, index, { step: 3 }),
    description: pick(descriptions, index, { step: 13 }),
    lead_source: pick(sources, index, { step: 1 }),
    mailing_city: pick(cities, index, { step: 2 }),
    tags: tag === '' ? [] : [tag],
  }
}

/** Returns the text in lower case with only the letters a to z. NFKD separates accents from their letters, so "é" becomes "e". */
const toEmailPart = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
