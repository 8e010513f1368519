// The search of the command palette over all kinds. It ignores case and accents, and allows one typo in words of five letters or more.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hit } from '#contract/search.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  const anna = await add('contacts', { first_name: 'Anna', last_name: 'Müller', email: 'anna@post.example', phone: '+44 20 7946 0118' })
  await add('contacts', { first_name: 'Jörg', last_name: 'Mueller', company: 'Käsemann & Söhne' })
  await add('contacts', { first_name: 'Siobhán', last_name: 'O’Brien', email: 'siobhan.obrien@harrowmere.example' })
  await add('contacts', { first_name: 'Jean-Pierre', last_name: 'Lefèvre', mobile_phone: '020 7946 0555' })
  await add('contacts', { first_name: 'Łukasz', last_name: 'Wójcik' })
  await add('contacts', { first_name: 'Søren', last_name: 'Åkesson' })
  await add('contacts', { first_name: 'Иван', last_name: 'Кузнецов' })
  await add('contacts', { first_name: '太郎', last_name: '山田' })
  await add('contacts', { first_name: '민준', last_name: '김' })
  await add('contacts', { first_name: 'Ελένη', last_name: 'Παπαδοπούλου' })
  await add('contacts', { first_name: 'محمد', last_name: 'عبدالله' })
  await add('contacts', { first_name: 'Hương', last_name: 'Nguyễn' })
  await add('contacts', { first_name: 'Zoë', last_name: 'Strauß' })
  await add('contacts', { first_name: 'Dana', last_name: '100% Real_Name' })
  const quillstone = await add('companies', {
    name: 'Quillstone Dental',
    industry: 'Health',
    website: 'https://quillstone.example',
    phone: '(020) 7946-0999',
  })
  await add('deals', { title: 'Reception desk with drawers', company_id: quillstone, contact_id: anna })
  await add('tasks', { title: 'Send the oak samples', contact_id: anna })
  await add('notes', { contact_id: anna, content: 'Prefers the façade in larch.\nCall her in October.' })
})
afterAll(() => app.stop())

const add = async (kind: string, payload: object): Promise<string> => {
  const response = await ada.send({ method: 'POST', url: `/api/${kind}`, payload })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}
const find = async (search: string, more: Record<string, string> = {}, person = ada): Promise<Hit[]> => {
  const response = await person.send({ url: `/api/search?${new URLSearchParams({ search, ...more }).toString()}` })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().hits
}
const findTitlesOf = async (search: string): Promise<string[]> => (await find(search)).map(({ title }) => title)

const annaMuller = 'Anna Müller'
const jorg = 'Jörg Mueller'
const siobhan = 'Siobhán O’Brien'
const jean = 'Jean-Pierre Lefèvre'
const desk = 'Reception desk with drawers'
const note = 'Prefers the façade in larch. Call her in October.'

test.each([
  // parts of words, letters without accents or in two letters (ü as ue), any case
  ['anna', [annaMuller]],
  ['MÜLLER', [annaMuller, jorg]],
  ['muller', [annaMuller, jorg]],
  ['mueller', [jorg, annaMuller]],
  ['ulle', [annaMuller]],
  ['müller anna', [annaMuller]],
  ['anna m', [annaMuller]],
  ['jorg', [jorg]],
  ['joerg', [jorg]],
  ['kaesemann', [jorg]],
  ['kasemann sohne', [jorg]],
  ['lukasz', ['Łukasz Wójcik']],
  ['WOJCIK', ['Łukasz Wójcik']],
  ['soren', ['Søren Åkesson']],
  ['soeren', ['Søren Åkesson']],
  ['akesson', ['Søren Åkesson']],
  ['aakesson', ['Søren Åkesson']],
  ['nguyen huong', ['Hương Nguyễn']],
  ['strauss', ['Zoë Strauß']],
  ['zoe', ['Zoë Strauß']],
  // hyphens and apostrophes
  ["o'brien", [siobhan]],
  ['o’brien', [siobhan]],
  ['obrien', [siobhan]],
  ['jean pierre', [jean]],
  ['jean-pierre', [jean]],
  ['lefevre', [jean]],
  // other scripts
  ['кузнецов', ['Иван Кузнецов']],
  ['КУЗН', ['Иван Кузнецов']],
  ['кузнецоф', ['Иван Кузнецов']],
  ['山田', ['太郎 山田']],
  ['太郎', ['太郎 山田']],
  ['김', ['민준 김']],
  ['ελενη', ['Ελένη Παπαδοπούλου']],
  ['παπαδοπουλοu', ['Ελένη Παπαδοπούλου']], // the last letter is a Latin u, so one letter is wrong
  ['محمد', ['محمد عبدالله']],
  // emails, websites and phones in any format
  ['anna@post', [annaMuller]],
  ['post.example', [annaMuller]],
  ['quillstone.ex', ['Quillstone Dental']],
  ['0118', [annaMuller]],
  ['020 7946 0118', [annaMuller]],
  ['0044 (20) 7946-0118', [annaMuller]],
  ['+442079460118', [annaMuller]],
  ['+44 20 7946 0555', [jean]],
  ['0999', ['Quillstone Dental']], // the last digits of a phone
  ['+44 20 7946 0999', ['Quillstone Dental']],
  ['anna 0118', [annaMuller]],
  // one letter is wrong, missing or added, or two are swapped
  ['mullxr', [annaMuller]],
  ['mullers', [annaMuller]],
  ['mulller', [jorg, annaMuller]],
  ['mlleur', []], // more than one typo
  ['muelxer', [jorg, annaMuller]],
  ['muellre', [jorg, annaMuller]],
  ['quilstone', ['Quillstone Dental']],
  ['quilltsone', ['Quillstone Dental']],
  ['recepttion', [desk]],
  ['recepion desk', [desk]],
  ['desk drawesr', [desk]],
  ['samlpes', ['Send the oak samples']],
  ['facxde', [note]],
  ['octobre', [note]],
  // all kinds, by their fields
  ['desk', [desk]],
  ['oak', ['Send the oak samples']],
  ['larch', [note]],
  ['100%', ['Dana 100% Real_Name']],
  ['real_', ['Dana 100% Real_Name']],
])('the search %j finds %j', async (search, expected) => {
  await expect.poll(() => findTitlesOf(search)).toEqual(expected) // on a busy machine the search for typos may exceed its time limit
})

test.each([
  ['anne', 0, 'typos are not searched in words of four letters'],
  ['mxllxr', 0, 'two letters are wrong'],
  ['quilstoen', 0, 'one letter is missing and two are swapped'],
  ['recepion dezk', 0, 'two words have a typo'],
  ['recepion drawesr', 0, 'two words have a typo'],
  ['anna dental', 0, 'no record contains both words'],
  ['r_al', 0, 'an underscore is not a wildcard'],
  ['1%0', 0, 'a percent sign is not a wildcard'],
  ['.*', 0, 'a search is not a regular expression'],
  ['0119', 0, 'typos are not searched in numbers'],
  ['79460', 3, 'three phone numbers contain these digits'],
  ['anna@pots.example', 0, 'typos are not searched in emails'],
  ['xyzzy', 0, 'no record contains the word'],
  ['\u0301', 0, 'nothing remains of a single accent when accents are ignored'],
  ['%', 1, 'one record contains a percent sign'],
  ['\\', 0, 'no record contains a backslash'],
  ['(', 1, 'one phone number contains a bracket'],
])('the search %j finds %i records, because %s', async (search, count) => {
  expect(await findTitlesOf(search)).toHaveLength(count)
})

test('a hit has its kind and a detail that distinguishes records with equal titles', async () => {
  const [contact] = await find('anna')
  const annaId = contact?.id
  expect(contact).toEqual({ kind: 'contact', id: annaId, title: annaMuller, detail: 'anna@post.example', parent: null })
  expect(await find('quillstone')).toMatchObject([{ kind: 'company', title: 'Quillstone Dental', detail: 'Health' }])
  expect(await find('drawers')).toMatchObject([{ kind: 'deal', title: desk, detail: 'Quillstone Dental' }])
  expect(await find('samples')).toMatchObject([{ kind: 'task', title: 'Send the oak samples', detail: annaMuller }])
  expect(await find('larch')).toMatchObject([{ kind: 'note', title: note, detail: annaMuller, parent: { kind: 'contact', id: annaId } }])
})

test('a search returns only records of the owner', async () => {
  const grace = await signInAs(app, 'grace')
  expect(await find('anna', {}, grace)).toEqual([])
  expect(await find('muelxer', {}, grace)).toEqual([])
})

test('hits are sorted by rank (beginning of the title, beginning of a word, part of a word, typo), then by kind, then newest first', async () => {
  const person = await signInAs(app, 'edsger')
  for (const [kind, fields] of [
    ['contacts', { first_name: 'Ines', last_name: 'Marlow' }],
    ['contacts', { first_name: 'Tamarlin', last_name: 'Cole' }],
    ['contacts', { first_name: 'Marlow', last_name: 'Adams' }],
    ['contacts', { first_name: 'Marlow', last_name: 'Baker' }],
    ['contacts', { first_name: 'Marllow', last_name: 'Typo' }],
    ['companies', { name: 'Marlow Marine' }],
    ['deals', { title: 'Shelves for Marlow' }],
    ['tasks', { title: 'Marlow: ask for the deposit' }],
  ] as const)
    expect((await person.send({ method: 'POST', url: `/api/${kind}`, payload: fields })).statusCode).toBe(201)
  const findTitles = async (search: string, limit = 12) => (await find(search, { limit: String(limit) }, person)).map(({ title }) => title)
  const expected = [
    'Marlow Baker',
    'Marlow Adams',
    'Marlow Marine',
    'Marlow: ask for the deposit',
    'Ines Marlow',
    'Shelves for Marlow',
    'Marllow Typo',
  ]
  expect(await findTitles('marlow')).toEqual(expected)
  expect(await findTitles('marl')).toEqual(['Marllow Typo', ...expected.slice(0, -1), 'Tamarlin Cole'])
  // at most half of the hits are of one kind, if there are enough others
  expect(await findTitles('marlow', 4)).toEqual(['Marlow Baker', 'Marlow Adams', 'Marlow Marine', 'Marlow: ask for the deposit'])
  expect(await findTitles('marl', 2)).toEqual(['Marllow Typo', 'Marlow Marine'])
})

test('records with long fields in letters of four bytes can be stored and found', async () => {
  /** Returns a text of different rare Chinese letters. */
  const createLongText = (length: number): string =>
    Array.from({ length }, (_, index) => String.fromCodePoint(0x20000 + ((index * 7919) % 40_000))).join('')
  const person = await signInAs(app, 'grace')
  const company = {
    name: `ü${createLongText(99)}`,
    industry: createLongText(100),
    website: `https://a.example/${createLongText(240)}`,
    email: `${'a'.repeat(60)}@post.example`,
  }
  const titleOnly = { title: `ü${createLongText(99)}` }
  for (const [kind, payload] of [
    ['companies', company],
    ['deals', titleOnly],
    ['tasks', titleOnly],
  ] as const) {
    const response = await person.send({ method: 'POST', url: `/api/${kind}`, payload })
    expect(response.statusCode, response.body).toBe(201)
  }
  expect(await find(createLongText(99).slice(0, 40), {}, person)).toHaveLength(3)
})

test('a search of one kind finds only its records, also when many others match better', async () => {
  await add('folders', { name: 'The larch samples' })
  for (let number = 0; number < 3; number += 1) await add('companies', { name: `Larch ${number}` })
  for (let number = 0; number < 3; number += 1) await add('deals', { title: `Larch ${number}` })
  const hits = await find('larch', { kind: 'folder', limit: '2' })
  expect(hits.map(({ kind, title }) => [kind, title])).toEqual([['folder', 'The larch samples']])
  expect(await find('larch', { kind: 'task' })).toEqual([])
})
