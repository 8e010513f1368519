import { sql, type Database } from '#server/platform/database/database.ts'
import { actingAs } from '#server/platform/database/transaction.ts'

const firstNames =
  'Imara Bastian Sunniva Tobiah Ottoline Kwabena Liesel Rufus Mirembe Anselm Yevanna Caspian Philippa Emeric Dagny Hollis Perpetua Zoë Łukasz Søren Amélie Björn Chiara Dmitri Eszter Farida Grzegorz Haruka Inés José Katarzyna Lior Müge Nadia Oskar Priya Quentin Rosalind Şebnem Tomás Ulrike Vikram Wren Ximena Yusuf Zainab'.split(
    ' ',
  )
const lastNames =
  'Vantongeren Ollerquist Thackerly Marchetti-Lund Freyberg Strickmoor Abernethwaite Delacombe Haldane-Osei Pickersgate Rostwick Underlough Nwosu-Garrand Saltonstone Fairweathers Brackenridge Langstroth Müller Kowalski Nguyễn Österberg Guðmundsdóttir Fernández Okonkwo Petrović Lindqvist Yamazaki Castellanos Dubois Achterberg'.split(
    ' ',
  )
const companies =
  'Quillstone Dental,Harrowmere Hotel,Tidewick Bakery,Ostrand Optics,Pellam Print,Fernhollow Vets,Coldharbour Yoga,Gristmill Coffee,Northquay Legal,Ravelin Cycles,Almond & Bury,Brightlintel School,Tallowfield Clinic,Wrenhouse Books,Lowcombe Theatre,Sternway Marine,Umber Lane Studio,Käsemann & Söhne,,'.split(
    ',',
  )
const titles =
  'Practice manager,Head of facilities,Owner,Studio lead,Partner,Founder,Operations,Office manager,Buyer,Bursar,Director,Purchasing,,,'.split(
    ',',
  )
const notes =
  'Wants the waiting room done by spring,Asked for oak samples,Counter must be wide enough for two,Second branch planned,Met at the trade evening,Storage for 60 mats,Sent the revised quote,Needs drawings as PDF,Came in through the website,Deposit paid; waiting for delivery,,,,'.split(
    ',',
  )
const sources = ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other', '']
const batch = 5000

/** Adds believable contacts; the same count gives the same people. */
export async function addPeople(database: Database, owner: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += batch) {
    const people = Array.from({ length: Math.min(batch, count - done) }, (_, index) => person(done + index))
    await database.transaction({ ...actingAs(owner), timeoutMs: 120_000 }, `Added ${people.length} contacts`, () =>
      sql(
        `insert into crm_contacts (user_id, first_name, last_name, email, phone, phone_key, company, title, description, lead_source, mailing_city)
         select $1, first_name, last_name, email, phone, phone_key, company, title, description, lead_source, 'Millgate'
         from json_populate_recordset(null::crm_contacts, $2)`,
        [owner, JSON.stringify(people)],
      ),
    )
  }
}

/** Numbers without a common divisor, so that names, companies and notes meet in ever new ways. */
function person(number: number) {
  const at = (list: string[], step: number): string => list[(number * step + Math.floor(number / list.length)) % list.length] ?? ''
  const first_name = at(firstNames, 7)
  const last_name = at(lastNames, 11)
  const digits = String(number % 10_000).padStart(4, '0')
  const hasPhone = number % 6 !== 4
  return {
    first_name,
    last_name,
    email: `${plain(first_name)}.${plain(last_name)}${number < 40 ? '' : number}@${plain(at(companies, 5)) || 'post'}.example`,
    phone: hasPhone ? `+44 20 7946 ${digits}` : '',
    phone_key: hasPhone ? `+44207946${digits}` : '',
    company: at(companies, 5),
    title: at(titles, 3),
    description: at(notes, 13),
    lead_source: at(sources, 1),
  }
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
