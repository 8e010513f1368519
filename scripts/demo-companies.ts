// Adds companies to the demo account.
import type { Database } from '#server/platform/database/database.ts'
import { addRows, pick, secondsAgo } from './demo-rows.ts'

/** The names of the first companies. The demo contacts work for these companies. */
export const companyNames =
  'Quillstone Dental,Harrowmere Hotel,Tidewick Bakery,Ostrand Optics,Pellam Print,Fernhollow Vets,Coldharbour Yoga,Gristmill Coffee,Northquay Legal,Ravelin Cycles,Almond & Bury,Brightlintel School,Tallowfield Clinic,Wrenhouse Books,Lowcombe Theatre,Sternway Marine,Umber Lane Studio,Käsemann & Söhne'.split(
    ',',
  )
/** The industries of the companies in `companyNames`, in the same order. */
const industries =
  'Health,Hospitality,Food,Health,Printing,Health,Sport,Hospitality,Legal,Retail,Design,Education,Health,Retail,Culture,Boats,Design,Craft'.split(
    ',',
  )
const places = 'Ashcombe,Birlow,Carrick,Dunmere,Elverton,Foxley,Garstone,Hollin,Inverley,Jessop,Kelmarsh,Lindale,Marlowe,Norwell'.split(',')
const trades = 'Dental,Hotel,Bakery,Optics,Print,Vets,Yoga,Coffee,Legal,Cycles,Interiors,School,Clinic,Books,Theatre,Marine,Studio'.split(
  ',',
)
/** The industries of `trades`, in the same order. */
const tradeIndustries =
  'Health,Hospitality,Food,Health,Printing,Health,Sport,Hospitality,Legal,Retail,Design,Education,Health,Retail,Culture,Boats,Design'.split(
    ',',
  )
/** Each company gets one of these tags; '' stands for no tag. */
const tags = ['Key account', '', 'Supplier', '', '', 'Fair 2026', '']

/** Adds companies: first those of `companyNames`, then companies with generated names. */
export const addCompanies = (database: Database, owner: string, count: number): Promise<void> =>
  addRows(database, owner, {
    plural: 'companies',
    count,
    createRow: (index) => createCompany(index, count),
    statement: `
      insert into companies (user_id, id, created_at, name, industry, website, phone, email, employees_count, tags)
      select $1, uuidv7(-ago), now() - ago, name, industry, website, phone, email, employees_count, tags
      from json_to_recordset($2) new_row (seconds_ago int, name text, industry text, website text, phone text, email text, employees_count int,
        tags text[])
      cross join make_interval(secs => seconds_ago) ago
      order by seconds_ago desc`,
  })

/**
 * Creates the fields of one company. The same index always gives the same company. The factors of `index` have no meaning: they only make
 * the values look random.
 */
function createCompany(index: number, count: number) {
  const name = companyNames[index] ?? generateName(index)
  const domain = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example`
  const tag = pick(tags, index, { step: 3 })
  return {
    seconds_ago: secondsAgo(index, count),
    name,
    industry: industries[index] ?? tradeIndustries[tradeIndex(index)] ?? '',
    website: index % 7 === 3 ? '' : `https://${domain}`,
    phone: index % 5 === 2 ? '' : `+44 20 7946 ${String((index * 37) % 10_000).padStart(4, '0')}`,
    email: `hello@${domain}`,
    employees_count: index % 6 === 5 ? null : 2 + ((index * 17) % 90),
    tags: tag === '' ? [] : [tag],
  }
}

/**
 * Returns a name such as "Ashcombe Hotel" that no other index has. When all combinations are used, the names end with 2, then with 3, and
 * so on. All combinations occur because the numbers of places and trades have no common divisor.
 */
export function generateName(index: number): string {
  const round = Math.floor(index / (places.length * trades.length))
  return `${places[index % places.length]} ${trades[tradeIndex(index)]}${round === 0 ? '' : ` ${round + 1}`}`
}

const tradeIndex = (index: number): number => (index * 3) % trades.length
