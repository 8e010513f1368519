// Pairs of contacts of which a person who reads them can say whether they are one person. For the test of the search for duplicates.

type Fields = Record<string, string>
export type LabelledPair = { form: string; isDuplicate: boolean; one: Fields; other: Fields }

/** A person from whom a pair is made. The email is at the person's own domain, which is not public. */
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
/** Returns the value with this number; the values repeat. */
const pickInOrder = (values: readonly string[], number: number): string => values[number % values.length] ?? ''
const nameOf = ({ first, last }: Person): Fields => ({ first_name: first, last_name: last })
const split = (name: string): Fields => {
  const [first_name = '', last_name = ''] = name.split(' ')
  return { first_name, last_name }
}
/** Swaps two letters in the middle of the word. */
const mistype = (word: string): string => {
  const middle = Math.floor(word.length / 2)
  const swapped = word.slice(0, middle - 1) + word.charAt(middle) + word.charAt(middle - 1) + word.slice(middle + 1)
  return swapped === word ? word.slice(0, middle) + word.slice(middle + 1) : swapped
}
const workEmail = ({ first, last, domain }: Person): string => `${first}.${last}@${domain}`.toLowerCase()

const duplicates: Record<string, (person: Person) => [Fields, Fields]> = {
  'same email, initial': (p) => [
    { ...nameOf(p), email: workEmail(p) },
    { first_name: `${p.first.charAt(0)}.`, last_name: p.last, email: workEmail(p).toUpperCase() },
  ],
  'plus address': (p) => [
    { ...nameOf(p), email: `${p.first}@${p.domain}` },
    { ...nameOf(p), email: `${p.first}+shop@${p.domain}` },
  ],
  'dots at Gmail': (p) => [
    { ...nameOf(p), email: `${p.first}.${p.last}@gmail.com` },
    { ...nameOf(p), email: `${p.first}${p.last}@googlemail.com` },
  ],
  'same phone, typo in the last name': (p) => [
    { ...nameOf(p), phone: p.phone, email: workEmail(p) },
    { first_name: p.first, last_name: mistype(p.last), phone: p.phone },
  ],
  'same phone, names swapped': (p) => [
    { ...nameOf(p), phone: p.phone },
    { first_name: p.last, last_name: p.first, mobile_phone: p.phone, email: workEmail(p) },
  ],
  'same phone, private and work email': (p) => [
    { ...nameOf(p), phone: p.phone, email: workEmail(p) },
    { ...nameOf(p), phone: p.phone, email: `${p.last}${p.number}@web.de` },
  ],
  'same company, without marks': (p) => [
    { ...split(pickInOrder(withMarks, p.number)), company: p.company, email: `x@${p.domain}` },
    { ...split(withoutMarks(pickInOrder(withMarks, p.number))), company: p.company },
  ],
  'same phone, umlauts as two letters': (p) => [
    { ...split(pickInOrder(umlauts, p.number)), phone: p.phone },
    { ...split(withTwoLetters(pickInOrder(umlauts, p.number))), phone: p.phone, email: workEmail(p) },
  ],
  'same company, typo in the first name': (p) => [
    { first_name: mistype(p.first), last_name: p.last, company: p.company },
    { ...nameOf(p), company: `${p.company} Ltd`, email: workEmail(p) },
  ],
  'same company, initial': (p) => [
    { first_name: p.first.charAt(0), last_name: p.last, company: p.company },
    { ...nameOf(p), company: p.company, phone: p.phone },
  ],
  'typo in the domain': (p) => [
    { ...nameOf(p), email: `${p.first}.${p.last}@gmail.com` },
    { ...nameOf(p), email: `${p.first}.${p.last}@gmial.com` },
  ],
  'same mailbox name at another provider': (p) => [
    { ...nameOf(p), email: `${p.first}.${p.last}@outlook.com` },
    { ...nameOf(p), email: workEmail(p) },
  ],
  'same address': (p) => [
    { ...nameOf(p), mailing_street: `Mill Lane ${p.number + 1}`, mailing_city: 'Harrowmere', email: workEmail(p) },
    { ...nameOf(p), mailing_street: `${p.number + 1} Mill Lane`, mailing_city: 'Harrowmere', phone: p.phone },
  ],
  'same phone, double last name': (p) => [
    { ...nameOf(p), phone: p.phone },
    { first_name: p.first, last_name: `${p.last}-Lund`, phone: p.phone, email: workEmail(p) },
  ],
  'same rare name, nothing that contradicts': (p) => [
    { ...nameOf(p), phone: p.phone, company: p.company },
    { ...nameOf(p), email: workEmail(p) },
  ],
}

const others: Record<string, (person: Person) => [Fields, Fields]> = {
  'colleagues with one office phone': (p) => [
    { ...nameOf(p), phone: p.phone, email: workEmail(p), company: p.company },
    { ...split(pickInOrder(umlauts, p.number)), phone: p.phone, email: `office${p.number}@${p.domain}`, company: p.company },
  ],
  'colleagues with one office phone and no emails': (p) => [
    { ...nameOf(p), phone: p.phone },
    { ...split(pickInOrder(withMarks, p.number)), phone: p.phone },
  ],
  'father and son': (p) => [
    { first_name: p.first, last_name: `${p.last} Sr.`, phone: p.phone },
    { first_name: p.first, last_name: `${p.last} Jr.`, phone: p.phone },
  ],
  'father and son with other first names': (p) => [
    { ...nameOf(p), phone: p.phone, mailing_street: `Oak Street ${p.number}` },
    { first_name: pickInOrder(firstNames, p.number + 1), last_name: p.last, phone: p.phone, mailing_street: `Oak Street ${p.number}` },
  ],
  couple: (p) => {
    const [his = '', hers = ''] = pickInOrder(couples, p.number).split(' ')
    return [
      { first_name: his, last_name: p.last, phone: p.phone, mailing_street: `Elm Road ${p.number}`, mailing_city: 'Tidewick' },
      { first_name: hers, last_name: p.last, phone: p.phone, mailing_street: `Elm Road ${p.number}`, mailing_city: 'Tidewick' },
    ]
  },
  'same name in two companies': (p) => [
    { ...nameOf(p), email: workEmail(p), company: p.company },
    { ...nameOf(p), email: `${p.last}@elsewhere${p.number}.test`, company: `Elsewhere${p.number}` },
  ],
  'same name and numbered emails': (p) => [
    { ...nameOf(p), email: `${p.last}1@${p.domain}` },
    { ...nameOf(p), email: `${p.last}2@${p.domain}` },
  ],
  'colleagues with one last name': (p) => {
    const [one = '', other = ''] = pickInOrder(colleagues, p.number).split(' ')
    return [
      { first_name: one, last_name: p.last, email: `${one}@${p.domain}`, company: p.company },
      { first_name: other, last_name: p.last, email: `${other}@${p.domain}`, company: p.company },
    ]
  },
  'a mailbox that several people read': (p) => [
    { ...nameOf(p), email: `info@${p.domain}` },
    { ...split(pickInOrder(umlauts, p.number)), email: `info@${p.domain}` },
  ],
}

/** Returns the same pairs each time. The persons of different pairs have nothing in common. */
export function createLabelledPairs(): LabelledPair[] {
  const forms = [
    ...Object.entries(duplicates).map(([form, create]) => ({ form, create, isDuplicate: true })),
    ...Object.entries(others).map(([form, create]) => ({ form, create, isDuplicate: false })),
  ]
  return forms.flatMap(({ form, create, isDuplicate }, formNumber) =>
    firstNames.map((first, index) => {
      const number = formNumber * firstNames.length + index
      const last = pickInOrder(lastNames, index + formNumber)
      const person = {
        first,
        last,
        number,
        company: `Quarry${number} Works`,
        domain: `firm${number}.test`,
        phone: `+44 20 7946 ${1000 + number}`,
      }
      const [one, other] = create(person)
      return { form, isDuplicate, one, other }
    }),
  )
}
