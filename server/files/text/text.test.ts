// The text of files: what is read from each type, and how it is kept with the stored object.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { createDocx, createOpenDocument, createPdf, createPptx, createXlsx } from '#server/testing/documents.ts'
import { addFile, waitForText } from '#server/testing/files.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { createZip } from '#server/testing/create-zip.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const readText = async (file_name: string, bytes: Buffer) => waitForText(ada, await addFile(ada, { file_name }, bytes))

test('a PDF has its text page by page', async () => {
  const { state, reason, text, pages } = await readText('letter.pdf', createPdf(['First page', '', 'Third page']))
  expect([state, reason]).toEqual(['ready', null])
  const [first = 0, second = 0, third = 0] = pages ?? []
  expect(pages).toHaveLength(3)
  expect([text.slice(first, second), text.slice(third)].map((page) => page.trim())).toEqual(['First page', 'Third page'])
})

describe('plain text', () => {
  const polish = 'Zażółć gęślą jaźń, był w Łodzi'
  const german = 'Größe: 20 m³, Preis 5 €'
  /** Returns the bytes of a text in an encoding of one byte per character. `table` has the bytes of the letters that are not ASCII. */
  const encode = (text: string, table: Readonly<Record<string, number>>): Buffer =>
    Buffer.from(Array.from(text, (character) => table[character] ?? character.charCodeAt(0)))
  const windows1250 = { ż: 0xbf, ó: 0xf3, ł: 0xb3, ć: 0xe6, ę: 0xea, ś: 0x9c, ą: 0xb9, ź: 0x9f, ń: 0xf1, Ł: 0xa3 }
  const windows1252 = { ö: 0xf6, ß: 0xdf, '³': 0xb3, '€': 0x80 }
  const czech = { ř: 0xf8, í: 0xed, š: 0x9a, ě: 0xec }

  test.each([
    ['UTF-8', Buffer.from(polish), polish],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${polish}`), polish],
    ['UTF-16 little-endian', Buffer.from(`\uFEFF${polish}`, 'utf16le'), polish],
    ['UTF-16 big-endian', Buffer.from(`\uFEFF${polish}`, 'utf16le').swap16(), polish],
    ['UTF-16 without a byte order mark', Buffer.from('Offer of May', 'utf16le'), 'Offer of May'],
    ['windows-1250', encode(polish, windows1250), polish],
    ['windows-1250, Czech', encode('příště', czech), 'příště'],
    ['windows-1252', encode(german, windows1252), german],
  ])('plain text is read in %s', async (_encoding, bytes, text) => {
    expect(await readText('list.csv', bytes)).toEqual({ state: 'ready', reason: null, text, is_cut: false, pages: null })
  })

  test('accents that are separate characters are composed, and characters that cannot be stored are removed', async () => {
    expect((await readText('mac.txt', Buffer.from('Ko\u0308ln So\u00ADft'))).text).toBe('Köln Soft')
  })

  test('a million spaces in a row are read while other requests are answered', async () => {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const { text } = await readText('spaces.txt', Buffer.from(`Oak${' '.repeat(900_000)}desk \t\nnew`))
    delay.disable()
    expect([text.length, text.slice(-9)]).toEqual([900_011, ' desk\nnew'])
    expect(delay.max / 1e6).toBeLessThan(2000) // milliseconds
  })

  test('8.4 million characters are cut at one million', async () => {
    const { text, is_cut } = await readText('log.txt', Buffer.from('line of a log\n'.repeat(600_000)))
    expect([text.length, is_cut]).toEqual([1_000_000, true])
  })
})

// `createDocx` adds the header "Letterhead", and `createXlsx` the sheet names "Offers" and "Costs", and the cell "Rent"
describe('documents', () => {
  test('a Word file has the text of its paragraphs, and then the text of its headers', async () => {
    const text = 'Angebot f\u00FCr &lt;M\u00FCller&gt;'
    expect(await readText('offer.docx', createDocx([text, '</w:t></w:r><w:r><w:tab/><w:t>Total']))).toMatchObject({
      state: 'ready',
      text: 'Angebot für <Müller>\n\tTotal\nLetterhead\n',
      pages: null,
    })
  })

  test('an Excel file has the text of its sheets and rows in their order', async () => {
    const { text } = await readText('list.xlsx', createXlsx([['Name', 'Value'], ['Ada', 1200.5], ['Grace', 7]])) // prettier-ignore
    expect(text).toBe('Offers\nName\tValue\nAda\t1200.5\nGrace\t7\n\nCosts\nRent\n\n')
  })

  test('a PowerPoint file has its slides as pages, in the order of their numbers, with their notes', async () => {
    const slides = Array.from({ length: 11 }, (_, index) => `Slide ${index + 1}`)
    const { text, pages } = await readText('talk.pptx', createPptx(slides, 'Say hello'))
    expect(text.trim().split('\n')).toEqual(['Slide 1', 'Say hello', ...slides.slice(1)])
    expect(pages?.map((start) => text.slice(start).split('\n')[0])).toEqual(slides)
  })

  test.each([
    [
      'text',
      'odt',
      '<text:h>Title</text:h><text:p>Two<text:s/>words<text:tab/>and <text:span>more</text:span></text:p>',
      'Title\nTwo words\tand more\n',
    ],
    [
      'spreadsheet',
      'ods',
      '<table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row>',
      'A \tB\n', // the end of a paragraph in a cell becomes a space
    ],
    [
      'presentation',
      'odp',
      '<text:tracked-changes><text:p>Old<text:s text:c="9"/>word<text:tab/><text:line-break/></text:p></text:tracked-changes><text:p>New</text:p>',
      'New\n',
    ],
  ] as const)('the text of an OpenDocument %s is read, without deleted text', async (type, extension, body, text) => {
    expect((await readText(`file.${extension}`, createOpenDocument(type, body))).text).toBe(text)
  })

  test.each([
    ['text:c="3"', 3],
    ['x:c="2"', 2],
    ['text:c="0"', 0],
    ['text:c="-1"', 1], // no number of spaces
    ['text:c="1000000000"', 1000], // the maximum
  ])('an element for spaces of an OpenDocument with %s becomes %d spaces', async (attribute, count) => {
    const body = `<text:p>Oak<text:s xmlns:x="t" ${attribute}/>desk</text:p>`
    expect((await readText('spaces.odt', createOpenDocument('text', body))).text).toBe(`Oak${' '.repeat(count)}desk\n`)
  })

  test('a mail has its subject, its people, its text and the names of its attachments', async () => {
    const mail = [
      'From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>',
      'To: Ada <ada@example.org>',
      'Subject: Offer',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Dear <b>Ada</b>,</p><script>hidden()</script><p>50&nbsp;&euro;</p>',
      '--x',
      'Content-Type: application/pdf; name=plan.pdf',
      'Content-Disposition: attachment; filename=plan.pdf',
      '',
      'x',
      '--x--',
    ].join('\r\n')
    expect((await readText('offer.eml', Buffer.from(mail))).text).toBe(
      'Offer\nJörg joerg@example.org\nAda ada@example.org\n\nDear Ada,\n50 €\n\nplan.pdf',
    )
  })

  test('HTML is read without scripts and styles, in the encoding that it names', async () => {
    const html =
      '<html><head><meta charset="windows-1250"><style>p { color: red }</style></head><body><p>By\xB3o</p><td>A</td><td>B</td></body></html>'
    expect((await readText('page.html', Buffer.from(html, 'latin1'))).text.trim()).toBe('Było\nA\tB')
  })

  test('the type follows from the content, not from the name', async () => {
    expect((await readText('letter.pdf.docx', createPdf(['A letter']))).text).toBe('A letter\n')
    expect((await readText('letter.xlsx', createDocx(['A letter']))).text).toBe('A letter\nLetterhead\n')
    expect((await readText('archive.docx', createZip([{ name: 'a.txt', content: 'text' }]))).reason).toBe('unsupported')
  })
})

describe('pictures', () => {
  const draw = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'red' } })
  const readThumbnail = async (file_name: string, bytes: Buffer) => {
    const file = await addFile(ada, { file_name }, bytes)
    const { reason } = await waitForText(ada, file)
    const response = await ada.send({ url: `/api/files/${file.id}/thumbnail` })
    return { file, reason, response }
  }

  test('a photo gets a thumbnail, turned as the camera was held, which is sent with safe headers and can be cached', async () => {
    // orientation 6: the camera was turned by 90 degrees
    const photo = await draw(800, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { file, reason, response } = await readThumbnail('photo.jpg', photo)
    const { format, width, height, exif } = await sharp(response.rawPayload).metadata()
    expect({ reason, format, width, height, exif }).toEqual({ reason: 'no_text', format: 'webp', width: 160, height: 320, exif: undefined })
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cache-control': expect.stringContaining('private'),
    })
    const headers = { 'if-none-match': String(response.headers.etag) }
    expect((await ada.send({ url: `/api/files/${file.id}/thumbnail`, headers })).statusCode).toBe(304)
    expect((await ada.send({ url: `/api/files/${file.id}` })).json().has_thumbnail).toBe(true)
    const grace = await signInAs(app, 'grace')
    expect((await grace.send({ url: `/api/files/${file.id}/thumbnail` })).statusCode).toBe(404)
  })

  test('PNG and AVIF get thumbnails; small pictures are not enlarged', async () => {
    const image = draw(20, 10)
    for (const bytes of await Promise.all([image.png(), image.avif()].map((each) => each.toBuffer()))) {
      const { response } = await readThumbnail('picture', bytes)
      expect(await sharp(response.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 20, height: 10 })
    }
  })

  test('SVG, half a JPEG, and a page that begins like a GIF get no thumbnail', async () => {
    const half = (await draw(800, 400).jpeg().toBuffer()).subarray(0, 900)
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>Logo</text></svg>'
    for (const [name, bytes] of [
      ['half.jpg', half],
      ['logo.svg', Buffer.from(svg)],
      ['page.gif', Buffer.from('GIF89a<script>')],
    ] as const)
      // prettier-ignore
      expect((await readThumbnail(name, bytes)).response.statusCode, name).toBe(404)
  })
})

test.each([
  ['empty.txt', Buffer.alloc(0), 'no_text'],
  ['spaces.txt', Buffer.from(' \n '), 'no_text'],
  ['scan.pdf', createPdf(['']), 'no_text'],
  ['cut.pdf', Buffer.from('%PDF-1.4\nnothing'), 'damaged'],
  ['text.pdf', Buffer.from('This is not a PDF'), 'damaged'], // the name counts, because plain text has no signature
  ['video.mp4', Buffer.from('0000001866747970', 'hex'), 'unsupported'],
  ['letter.rtf', Buffer.from('{\\rtf1 text}'), 'unsupported'],
])('%s has no text, and the file says why', async (name, bytes, reason) => {
  const file = await addFile(ada, { file_name: name }, bytes)
  expect(await waitForText(ada, file)).toMatchObject({ state: 'failed', reason, text: '' })
  const row = (await ada.send({ url: `/api/files/${file.id}` })).json()
  expect([row.text_state, row.text_reason, row.has_thumbnail]).toEqual(['failed', reason, false])
})

describe('files without a text', () => {
  let grace: Person
  beforeAll(async () => {
    grace = await signInAs(app, 'grace')
  })
  const addFileWithoutText = async () => {
    const file = await addFile(grace, { file_name: 'old.txt' }, Buffer.from('an old text'))
    await waitForText(grace, file)
    await app.tableOwner.query('delete from object_texts where user_id = $1', [grace.id])
    return file
  }

  test('a file without a text gets its text from the daily schedule if it was stored by a version that did not read texts', async () => {
    const file = await addFileWithoutText()
    expect((await grace.send({ url: `/api/files/${file.id}/text` })).json()).toMatchObject({ state: 'waiting', text: '', pages: null })
    await app.runSchedule('texts of files')
    expect(await waitForText(grace, file)).toMatchObject({ text: 'an old text' })
  })

  test('the text of a stored object that is no file, such as the file of an import, is not read', async () => {
    await addFileWithoutText()
    await importsOf(grace).upload('First name,Last name\nAda,Lovelace')
    await app.runSchedule('texts of files')
    const { rows } = await app.tableOwner.query(
      `select f.file_name from object_texts t left join files f on f.user_id = t.user_id and f.object_id = t.id where t.user_id = $1`,
      [grace.id],
    )
    expect(rows).not.toContainEqual({ file_name: null })
  })

  test('a file without a text gets its text a day later if its job was lost', async () => {
    const file = await addFileWithoutText()
    await app.tableOwner.query('insert into object_texts (user_id, id) select user_id, id from stored_objects where user_id = $1', [
      grace.id,
    ])
    await app.runSchedule('texts of files')
    expect((await grace.send({ url: `/api/files/${file.id}/text` })).json()).toMatchObject({ state: 'waiting' })
    await app.runSchedule('texts of files', new Date(Date.now() + 25 * 60 * 60 * 1000))
    expect(await waitForText(grace, file)).toMatchObject({ text: 'an old text' })
  })
})

test('the text and the thumbnail of a file are deleted with its bytes', async () => {
  const edsger = await signInAs(app, 'edsger')
  const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const added = [await addFile(edsger, { file_name: 'a.txt' }, Buffer.from('text')), await addFile(edsger, { file_name: 'a.png' }, picture)]
  for (const file of added) await waitForText(edsger, file)
  const countRows = async (): Promise<number[]> => {
    const counts = ['object_texts', 'object_text_parts', 'object_thumbnails'].map((table) =>
      app.tableOwner.query(`select from ${table} where user_id = $1`, [edsger.id]),
    )
    return (await Promise.all(counts)).map(({ rowCount }) => rowCount ?? 0)
  }
  for (const { id } of added) await edsger.send({ method: 'DELETE', url: `/api/files/${id}` })
  await app.runSchedule('unneeded stored objects', later(2))
  expect(await countRows()).toEqual([2, 1, 1]) // an undo of the delete needs them
  for (const { id } of added) await edsger.send({ method: 'DELETE', url: `/api/trash/${id}` })
  await app.runSchedule('unneeded stored objects', later(2))
  expect(await countRows()).toEqual([0, 0, 0])
})
