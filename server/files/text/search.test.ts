// Files are found by the words of their text, in lists and in the search of all records, with the passage around the hit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileRow } from '#contract/files.ts'
import type { Passage } from '#contract/lists.ts'
import type { Hit } from '#contract/search.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createPdf } from '#server/testing/documents.ts'
import { addFile, waitForText } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const addText = async (person: Person, file_name: string, content: string | Buffer): Promise<string> => {
  const { id } = await addFile(person, { file_name }, Buffer.from(content))
  await waitForText(person, { id })
  return id
}

const list = async (person: Person, query: Record<string, string>): Promise<{ rows: FileRow[]; next: string | null }> =>
  (await person.send({ url: `/api/files?${new URLSearchParams(query).toString()}` })).json()

const listNames = async (search: string, query: Record<string, string> = {}): Promise<string[]> =>
  (await list(ada, { search, ...query })).rows.map(({ file_name }) => file_name)

const searchAll = async (person: Person, search: string): Promise<Hit[]> =>
  (await person.send({ url: `/api/search?search=${encodeURIComponent(search)}` })).json().hits

const readMarks = ({ text, marks }: Passage): string[] => marks.map(({ start, end }) => text.slice(start, end))

describe('texts in several languages', () => {
  beforeAll(async () => {
    const texts = {
      'german.txt': 'Die Rechnung der Müller GmbH für Straßenbau in Köln',
      'polish.txt': 'Umowa najmu mieszkania w Łodzi, zażółć gęślą jaźń',
      'greek.txt': 'Το τιμολόγιο του Παπαδόπουλος για τον Αύγουστο',
      'turkish.txt': 'İstanbul şubesinde ılık çorba ve kırtasiye',
      'chinese.txt': '合同 北京 发票',
    }
    await Promise.all(Object.entries(texts).map(([name, text]) => addText(ada, name, text)))
  })

  test.each([
    ['rechn', 'german.txt', 'Rechnung'],
    ['mueller', 'german.txt', 'Müller'],
    ['muller', 'german.txt', 'Müller'],
    ['MÜLLER', 'german.txt', 'Müller'],
    ['strassenb', 'german.txt', 'Straßenbau'],
    ['lodzi', 'polish.txt', 'Łodzi'],
    ['gesla', 'polish.txt', 'gęślą'],
    ['παπαδοπουλος', 'greek.txt', 'Παπαδόπουλος'],
    ['ΠΑΠΑΔΟΠΟΥΛΟΣ', 'greek.txt', 'Παπαδόπουλος'],
    ['τιμολογ', 'greek.txt', 'τιμολόγιο'],
    ['istanbul', 'turkish.txt', 'İstanbul'],
    ['ilik', 'turkish.txt', 'ılık'],
    ['sube', 'turkish.txt', 'şubesinde'],
    ['北京', 'chinese.txt', '北京'],
  ])('"%s" finds %s, in lists and in the search of all records', async (search, name, word) => {
    const { rows } = await list(ada, { search })
    expect(rows.map(({ file_name, passage }) => [file_name, passage && readMarks(passage)])).toEqual([[name, [word]]])
    const hits = await searchAll(ada, search)
    expect(hits.map(({ title, passage }) => [title, passage && readMarks(passage)])).toEqual([[name, [word]]])
  })

  test('a search finds the texts that have all its words; it finds a word by its beginning, but not by its end', async () => {
    expect(await listNames('rechnung koeln')).toEqual(['german.txt'])
    expect(await listNames('rechnung istanbul')).toEqual([])
    expect(await listNames('echnung')).toEqual([])
    expect(await listNames('--')).toEqual([]) // no word
  })

  test('another user finds nothing', async () => {
    const grace = await signInAs(app, 'grace')
    expect((await list(grace, { search: 'rechnung' })).rows).toEqual([])
    expect(await searchAll(grace, 'rechnung')).toEqual([])
  })
})

describe('names and texts', () => {
  const namesNewestFirst = ['Report of May.txt', 'a.txt', 'Report.txt', 'b.txt', 'c.txt']
  beforeAll(async () => {
    for (const name of namesNewestFirst.toReversed())
      await addText(ada, name, name.startsWith('Report') ? 'Nothing else' : 'The yearly report is here')
  })

  test('files with the words in their name come first, then those with the words in their text, newest first, on all pages', async () => {
    const names: string[] = []
    let after: string | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(ada, { search: 'report', limit: '1', ...(after !== null && { after }) })
      names.push(...page.rows.map(({ file_name }) => file_name))
      after = page.next
    } while (after !== null)
    expect(names).toEqual(['Report of May.txt', 'Report.txt', 'a.txt', 'b.txt', 'c.txt'])
    expect(await listNames('report')).toEqual(names)
    expect((await searchAll(ada, 'report')).map(({ title }) => title)).toEqual(names)
  })

  test('the other sorts, the count, bulk actions and filters include the files found by their text', async () => {
    expect(await listNames('report', { sort: 'file_name' })).toEqual(['a.txt', 'b.txt', 'c.txt', 'Report of May.txt', 'Report.txt'])
    expect((await ada.send({ url: '/api/files/count?search=yearly' })).json().count).toBe(3)
    const filter = JSON.stringify([{ field: 'file_name', has: 'a' }])
    expect(await listNames('yearly', { filter })).toEqual(['a.txt'])
    const payload = { matching: { search: 'yearly' } }
    const deleted = await ada.send({ method: 'POST', url: '/api/files/bulk/delete', payload })
    expect(await listNames('report')).toEqual(['Report of May.txt', 'Report.txt'])
    await undo(ada, deleted)
    expect(await listNames('yearly')).toEqual(['a.txt', 'b.txt', 'c.txt'])
  })
})

describe('passages', () => {
  test('a passage has about 160 characters of whole words around the first hit, with marks, and the page in a PDF', async () => {
    const filler = 'Lorem ipsum dolor sit amet consectetur. '.repeat(200)
    await addText(ada, 'long.txt', `${filler}The <b>warranty</b>\n\n ends in Warranties&years ${filler}`)
    const [row] = (await list(ada, { search: 'warrant' })).rows
    const { text = '', marks = [], page } = row?.passage ?? {}
    expect(readMarks({ text, marks, page: null })).toEqual(['warranty', 'Warranties'])
    expect(text).toMatch(/^… \S.* The <b>warranty<\/b> ends in Warranties&years \S.* …$/)
    expect(text.length).toBeLessThan(170)
    expect(page).toBeNull()
    await addText(ada, 'scan.pdf', createPdf(['Cover', 'Deposit of the tenant', 'Deposit again']))
    expect((await list(ada, { search: 'depos' })).rows[0]?.passage).toEqual({
      text: 'Deposit of the tenant',
      marks: [{ start: 0, end: 7 }],
      page: 2,
    })
  })

  test('the passage of a long text is from the part that has most of the searched words', async () => {
    const filler = 'alpha is here and nothing else. '.repeat(200)
    await addText(ada, 'parts.txt', `${filler} alpha beta ${filler}`)
    expect((await list(ada, { search: 'alpha beta' })).rows[0]?.passage?.text).toContain('alpha beta')
  })
})

test('a renamed or restored file keeps its text, and after a replacement only the new text is found', async () => {
  const id = await addText(ada, 'old.txt', 'elephant')
  const files = recordsOf(ada, '/api/files')
  await files.edit(id, { file_name: 'new.txt' })
  expect(await listNames('elephant')).toEqual(['new.txt'])
  const deleted = await files.remove(id)
  expect([await listNames('elephant'), await searchAll(ada, 'elephant')]).toEqual([[], []])
  await undo(ada, deleted)
  expect(await listNames('elephant')).toEqual(['new.txt'])
  const { id: replacing } = await addFile(ada, { file_name: 'new.txt', if_exists: 'replace' }, Buffer.from('giraffe'))
  await waitForText(ada, { id: replacing })
  expect([await listNames('elephant'), await listNames('giraffe')]).toEqual([[], ['new.txt']])
})
