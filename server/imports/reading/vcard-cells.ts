import { readValue, splitValue, type CardProperty } from './vcard-lines.ts'

/** The columns of all vCards. The headers are those that address books use in tables. */
export const cardHeaders = [
  'Name prefix',
  'First name',
  'Middle name',
  'Last name',
  'Name suffix',
  'Full name',
  'Nickname',
  'Company',
  'Department',
  'Title',
  'Role',
  'Email',
  'Email 2',
  'Email 3',
  'Other emails',
  'Phone',
  'Mobile phone',
  'Work phone',
  'Home phone',
  'Fax',
  'Other phones',
  'Street',
  'City',
  'State',
  'Postal code',
  'Country',
  'Other addresses',
  'Website',
  'Birthday',
  'Tags',
  'Notes',
  'Other fields',
] as const

type Header = (typeof cardHeaders)[number]

/** Properties of the card itself, not of the person. */
const technicalNames = new Set([
  'VERSION',
  'PRODID',
  'REV',
  'UID',
  'CLASS',
  'MAILER',
  'AGENT',
  'SORT-STRING',
  'KIND',
  'CLIENTPIDMAP',
  'SOURCE',
])
const simpleHeaders: Record<string, Header> = { FN: 'Full name', TITLE: 'Title', ROLE: 'Role', BDAY: 'Birthday', URL: 'Website' }

/** Returns the cells of a card, in the order of `cardHeaders`. */
export function readCells(properties: readonly CardProperty[]): string[] {
  const cells = new Map<Header, string>()
  const add = (header: Header, value: string, separator = '\n'): void => {
    const before = cells.get(header)
    if (value !== '') cells.set(header, before ? before + separator + value : value)
  }
  /** Writes the value to the first empty column of these, or adds it to the last one. */
  const addToFirst = (headers: readonly Header[], value: string): void => {
    const header = headers.find((each) => !cells.has(each)) ?? headers.at(-1)
    if (header) add(header, value, '; ')
  }
  for (const property of properties.toSorted((a, b) => a.preference - b.preference)) {
    const { name } = property
    // X-AB...: additions of Apple's address book, such as labels
    if (technicalNames.has(name) || name.startsWith('X-AB')) continue
    const simple = simpleHeaders[name]
    if (simple) addToFirst([simple, 'Other fields'], readValue(property))
    else if (name === 'N') addName(property, add)
    else if (name === 'NICKNAME') add('Nickname', splitValue(property, ',').join(', '), ', ')
    else if (name === 'ORG') addCompany(property, add)
    else if (name === 'EMAIL') addToFirst(['Email', 'Email 2', 'Email 3', 'Other emails'], readValue(property).replace(/^mailto:/i, ''))
    else if (name === 'TEL') addToFirst([choosePhone(property.types), 'Other phones'], readValue(property).replace(/^tel:/i, ''))
    else if (name === 'ADR') addAddress(property, cells.has('Other addresses') || hasAddress(cells), add)
    else if (name === 'CATEGORIES') add('Tags', splitValue(property, ',').join(', '), ', ')
    else if (name === 'NOTE') add('Notes', readValue(property))
    else if (readValue(property) !== '') add('Other fields', `${name}: ${readValue(property)}`)
  }
  return cardHeaders.map((header) => cells.get(header) ?? '')
}

type Add = (header: Header, value: string, separator?: string) => void

function addName(property: CardProperty, add: Add): void {
  const [last = '', first = '', middle = '', prefix = '', suffix = ''] = splitValue(property, ';')
  add('Last name', last)
  add('First name', first)
  add('Middle name', middle)
  add('Name prefix', prefix)
  add('Name suffix', suffix)
}

function addCompany(property: CardProperty, add: Add): void {
  const [company = '', ...units] = splitValue(property, ';')
  add('Company', company, '; ')
  add('Department', units.filter((unit) => unit !== '').join(', '), '; ')
}

/** The parts of an address are post office box, extended address, street, city, state, postal code and country. */
function addAddress(property: CardProperty, isOther: boolean, add: Add): void {
  const [box = '', extended = '', street = '', city = '', state = '', postalCode = '', country = ''] = splitValue(property, ';')
  const parts = [street, extended, box].filter((part) => part !== '')
  if (isOther) {
    const line = [...parts, `${postalCode} ${city}`.trim(), state, country].filter((part) => part !== '')
    add('Other addresses', line.join(', ').replaceAll('\n', ', '))
    return
  }
  add('Street', parts.join(', ').replaceAll('\n', ', '))
  add('City', city)
  add('State', state)
  add('Postal code', postalCode)
  add('Country', country)
}

const hasAddress = (cells: ReadonlyMap<Header, string>): boolean =>
  (['Street', 'City', 'State', 'Postal code', 'Country'] as const).some((header) => cells.has(header))

function choosePhone(types: readonly string[]): Header {
  if (types.includes('fax')) return 'Fax'
  if (types.some((type) => type === 'cell' || type === 'iphone' || type === 'mobile')) return 'Mobile phone'
  if (types.includes('work')) return 'Work phone'
  return types.includes('home') ? 'Home phone' : 'Phone'
}
