// Pairs of contacts for the test of the search for duplicates. Each pair is labelled with whether both contacts are one person.

type Fields = Record<string, string>
export type LabelledPair = { pattern: string; isDuplicate: boolean; one: Fields; other: Fields }

/** A person from whom a pair is made. `domain` belongs to the company of this person only; it is no provider of mailboxes. */
type Person = { first: string; last: string; company: string; domain: string; phone: string; number: number }

const firstNames =
  'Bastian Ottoline Kwabena Liesel Rufus Mirembe Anselm Caspian Philippa Emeric Hollis Perpetua Katarzyna Quentin Rosalind Vikram Ximena Zainab Dorothea Leopold'.split(
    ' ',
  )
const lastNames =
  'Ollerquist Thackerly Freyberg Strickmoor Abernethwaite Delacombe Pickersgate Rostwick Underlough Saltonstone Fairweathers Brackenridge Langstroth Kowalski Lindqvist Yamazaki Castellanos Achterberg Vanterpool Wiesenthal'.split(
    ' ',
  )
const withMarks = [
  'Søren Nguyễn',
  'Zoë Fernández',
  'José Castaño',
  'Łukasz Wójcik',
  'Amélie Lefèvre',
  'Müge Şahin',
  'Tomás Ibáñez',
  'Björn Åkesson',
]
const umlauts = ['Jörg Schäfer', 'Käthe Möller', 'Günther Böhm', 'Jürgen Krüger', 'Bärbel Schröder', 'Götz Lübbers']
const couples = [
  'Martin Martina',
  'Daniel Daniela',
  'Paul Pauline',
  'Mario Maria',
  'Andreas Andrea',
  'Gabriel Gabriele',
  'Eric Erica',
  'Stefan Stefanie',
]
const colleagues = ['Anna Andrea', 'Thomas Theresa', 'Karl Konrad', 'Sabine Simone', 'Peter Paul', 'Lisa Lena']

const withoutMarks = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').replaceAll('Ł', 'L').replaceAll('ł', 'l')
const withTwoLetters = (text: string): string =>
  text.replaceAll(/[äöüÄÖÜ]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' })[letter] ?? letter)
/** Returns the value with this number, and begins again at the first value after the last. */
const pickRepeating = (values: readonly string[], number: number): string => values[number % values.length] ?? ''
const nameOf = ({ first, last }: Person): Fields => ({ first_name: first, last_name: last })
const split = (name: string): Fields => {
  const [first_name = '', last_name = ''] = name.split(' ')
  return { first_name, last_name }
}
/** Swaps two letters in the middle of the word, or leaves one out if both are the same. */
const mistype = (word: string): string => {
  const middle = Math.floor(word.length / 2)
  const swapped = word.slice(0, middle - 1) + word.charAt(middle) + word.charAt(middle - 1) + word.slice(middle + 1)
  return swapped === word ? word.slice(0, middle) + word.slice(middle + 1) : swapped
}
const workEmail = ({ first, last, domain }: Person): string => `${first}.${last}@${domain}`.toLowerCase()

const duplicates: Record<string, (person: Person) => [Fields, Fields]> = {
  'same email, initial': (person) => [
    { ...nameOf(person), email: workEmail(person) },
    { first_name: `${person.first.charAt(0)}.`, last_name: person.last, email: workEmail(person).toUpperCase() },
  ],
  'plus address': (person) => [
    { ...nameOf(person), email: `${person.first}@${person.domain}` },
    { ...nameOf(person), email: `${person.first}+shop@${person.domain}` },
  ],
  'dots at Gmail': (person) => [
    { ...nameOf(person), email: `${person.first}.${person.last}@gmail.com` },
    { ...nameOf(person), email: `${person.first}${person.last}@googlemail.com` },
  ],
  'same phone, typo in the last name': (person) => [
    { ...nameOf(person), phone: person.phone, email: workEmail(person) },
    { first_name: person.first, last_name: mistype(person.last), phone: person.phone },
  ],
  'same phone, names swapped': (person) => [
    { ...nameOf(person), phone: person.phone },
    { first_name: person.last, last_name: person.first, mobile_phone: person.phone, email: workEmail(person) },
  ],
  'same phone, private and work email': (person) => [
    { ...nameOf(person), phone: person.phone, email: workEmail(person) },
    { ...nameOf(person), phone: person.phone, email: `${person.last}${person.number}@web.de` },
  ],
  'same company, without marks': (person) => [
    { ...split(pickRepeating(withMarks, person.number)), company: person.company, email: `x@${person.domain}` },
    { ...split(withoutMarks(pickRepeating(withMarks, person.number))), company: person.company },
  ],
  'same phone, umlauts as two letters': (person) => [
    { ...split(pickRepeating(umlauts, person.number)), phone: person.phone },
    { ...split(withTwoLetters(pickRepeating(umlauts, person.number))), phone: person.phone, email: workEmail(person) },
  ],
  'same company, typo in the first name': (person) => [
    { first_name: mistype(person.first), last_name: person.last, company: person.company },
    { ...nameOf(person), company: `${person.company} Ltd`, email: workEmail(person) },
  ],
  'same company, initial': (person) => [
    { first_name: person.first.charAt(0), last_name: person.last, company: person.company },
    { ...nameOf(person), company: person.company, phone: person.phone },
  ],
  'typo in the domain': (person) => [
    { ...nameOf(person), email: `${person.first}.${person.last}@gmail.com` },
    { ...nameOf(person), email: `${person.first}.${person.last}@gmial.com` },
  ],
  'same mailbox name at another provider': (person) => [
    { ...nameOf(person), email: `${person.first}.${person.last}@outlook.com` },
    { ...nameOf(person), email: workEmail(person) },
  ],
  'same address': (person) => [
    { ...nameOf(person), mailing_street: `Mill Lane ${person.number + 1}`, mailing_city: 'Harrowmere', email: workEmail(person) },
    { ...nameOf(person), mailing_street: `${person.number + 1} Mill Lane`, mailing_city: 'Harrowmere', phone: person.phone },
  ],
  'same phone, double last name': (person) => [
    { ...nameOf(person), phone: person.phone },
    { first_name: person.first, last_name: `${person.last}-Lund`, phone: person.phone, email: workEmail(person) },
  ],
  'same rare name, nothing that contradicts': (person) => [
    { ...nameOf(person), phone: person.phone, company: person.company },
    { ...nameOf(person), email: workEmail(person) },
  ],
}

const differentPersons: Record<string, (person: Person) => [Fields, Fields]> = {
  'colleagues with one office phone': (person) => [
    { ...nameOf(person), phone: person.phone, email: workEmail(person), company: person.company },
    {
      ...split(pickRepeating(umlauts, person.number)),
      phone: person.phone,
      email: `office${person.number}@${person.domain}`,
      company: person.company,
    },
  ],
  'colleagues with one office phone and no emails': (person) => [
    { ...nameOf(person), phone: person.phone },
    { ...split(pickRepeating(withMarks, person.number)), phone: person.phone },
  ],
  'father and son': (person) => [
    { first_name: person.first, last_name: `${person.last} Sr.`, phone: person.phone },
    { first_name: person.first, last_name: `${person.last} Jr.`, phone: person.phone },
  ],
  'father and son with other first names': (person) => [
    { ...nameOf(person), phone: person.phone, mailing_street: `Oak Street ${person.number}` },
    {
      first_name: pickRepeating(firstNames, person.number + 1),
      last_name: person.last,
      phone: person.phone,
      mailing_street: `Oak Street ${person.number}`,
    },
  ],
  couple: (person) => {
    const [his = '', hers = ''] = pickRepeating(couples, person.number).split(' ')
    return [
      {
        first_name: his,
        last_name: person.last,
        phone: person.phone,
        mailing_street: `Elm Road ${person.number}`,
        mailing_city: 'Tidewick',
      },
      {
        first_name: hers,
        last_name: person.last,
        phone: person.phone,
        mailing_street: `Elm Road ${person.number}`,
        mailing_city: 'Tidewick',
      },
    ]
  },
  'same name in two companies': (person) => [
    { ...nameOf(person), email: workEmail(person), company: person.company },
    { ...nameOf(person), email: `${person.last}@elsewhere${person.number}.test`, company: `Elsewhere${person.number}` },
  ],
  'same name and numbered emails': (person) => [
    { ...nameOf(person), email: `${person.last}1@${person.domain}` },
    { ...nameOf(person), email: `${person.last}2@${person.domain}` },
  ],
  'colleagues with one last name': (person) => {
    const [one = '', other = ''] = pickRepeating(colleagues, person.number).split(' ')
    return [
      { first_name: one, last_name: person.last, email: `${one}@${person.domain}`, company: person.company },
      { first_name: other, last_name: person.last, email: `${other}@${person.domain}`, company: person.company },
    ]
  },
  'a mailbox that several people read': (person) => [
    { ...nameOf(person), email: `info@${person.domain}` },
    { ...split(pickRepeating(umlauts, person.number)), email: `info@${person.domain}` },
  ],
}

/**
 * Returns the same pairs each time. The persons of different pairs have different companies, domains and phone numbers; some have the same
 * names.
 */
export function createLabelledPairs(): LabelledPair[] {
  const patterns = [
    ...Object.entries(duplicates).map(([pattern, create]) => ({ pattern, create, isDuplicate: true })),
    ...Object.entries(differentPersons).map(([pattern, create]) => ({ pattern, create, isDuplicate: false })),
  ]
  return patterns.flatMap(({ pattern, create, isDuplicate }, patternNumber) =>
    firstNames.map((first, index) => {
      const number = patternNumber * firstNames.length + index
      const last = pickRepeating(lastNames, index + patternNumber)
      const person = {
        first,
        last,
        number,
        company: `Quarry${number} Works`,
        domain: `firm${number}.test`,
        phone: `+44 20 7946 ${1000 + number}`,
      }
      const [one, other] = create(person)
      return { pattern, isDuplicate, one, other }
    }),
  )
}
