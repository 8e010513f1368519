// Documents that were made to exhaust memory, to run forever or to crash a library. A child process reads them. Each document gets a
// reason why it has no text, and the server is not affected.
import { randomBytes } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createZip, packRepeated } from '#server/testing/create-zip.ts'
import { createDocx, createOpenDocument, createPdf, createWordXml } from '#server/testing/documents.ts'
import { addFile, waitForText } from '#server/testing/files.ts'
import { createPng } from '#server/testing/pictures.ts'
import { findTextPrograms, isRunning } from '#server/testing/processes.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { waitUntil } from '#server/testing/wait.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
})
afterAll(() => app.stop())

const readReason = async (file_name: string, bytes: Buffer) => (await waitForText(ada, await addFile(ada, { file_name }, bytes))).reason

/** Returns a Word file whose main document has a text that is repeated. `size` is the unpacked size that the file claims. */
function createRepeatedDocx(repeated: string, count: number, size?: number): Buffer {
  const [before = '', after = ''] = createWordXml(['CONTENT']).split('CONTENT')
  const content = packRepeated(before, repeated, count, after)
  return createZip([{ name: 'word/document.xml', content, ...(size !== undefined && { size }) }])
}

const spaces = ' '.repeat(1024 * 1024)

const encryptionFields = `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`
/** The signature of the container of old Office files, and of encrypted new ones. */
const compoundFileSignature = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** XML entities that contain other entities can expand to gigabytes. */
const entities = `<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`
const nestedMail = Array.from(
  { length: 5000 },
  (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
).join('')

type HostileFile = [what: string, name: string, create: () => Buffer, reasons: string[]]
const endlessPdf: HostileFile = ['a PDF that draws a million texts', 'forms.pdf', () => createFormsPdf(1000), ['out_of_memory', 'timeout']]

test.each<HostileFile>([
  ['a Word file that unpacks to 600 MB', 'bomb.docx', () => createRepeatedDocx(spaces, 600), ['too_large']],
  ['a Word file that unpacks to 600 MB and claims 1 kB', 'lie.docx', () => createRepeatedDocx(spaces, 600, 1000), ['damaged']],
  ['a Word file with one text of 190 MB', 'text.docx', () => createRepeatedDocx(spaces, 190), ['out_of_memory']],
  ['a Word file with 100,000 nested elements', 'nested.docx', () => createRepeatedDocx('<w:p>'.repeat(1000), 100), ['damaged']],
  [
    'a Word file that defines entities',
    'entities.docx',
    () => createZip([{ name: 'word/document.xml', content: `${entities}<d><t>&b;</t></d>` }]),
    ['damaged'],
  ],
  ['a PNG of 400 megapixels', 'large.png', () => createPng(20_000, 20_000), ['too_large']],
  ['an encrypted PDF', 'secret.pdf', () => createPdf(['Secret'], encryptionFields), ['encrypted']],
  [
    'an encrypted Word file',
    'secret.docx',
    () => Buffer.concat([compoundFileSignature, Buffer.alloc(2000), Buffer.from('EncryptedPackage', 'utf16le')]),
    ['encrypted'],
  ],
  ['an encrypted OpenDocument', 'secret.odt', () => createOpenDocument('text', '', '<manifest:encryption-data/>'), ['encrypted']],
  ['an old Word file', 'old.doc', () => Buffer.concat([compoundFileSignature, randomBytes(2000)]), ['unsupported']],
  ['a PDF of noise', 'noise.pdf', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(100_000)]), ['damaged']],
  ...(process.env['FOYER_FULL'] === '1' ? [endlessPdf] : []), // it takes 15 seconds of processor time
  ['a mail with 5,000 parts in each other', 'nested.eml', () => Buffer.from(nestedMail), ['damaged']],
])(
  '%s gets a reason why it has no text, and other requests are answered meanwhile',
  { timeout: 300_000 },
  async (_what, name, create, reasons) => {
    const bytes = create()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const file = await addFile(ada, { file_name: name }, bytes)
    delay.enable()
    const { state, reason } = await waitForText(ada, file) // it repeats its request for the text: these are the other requests
    delay.disable()
    expect([state, reasons.includes(String(reason)), reason]).toEqual(['failed', true, reason]) // a failure shows the reason
    expect(delay.max / 1e6).toBeLessThan(2000) // milliseconds; reading such a file in this process would block it for longer
    expect(findTextPrograms(process.pid)).toEqual([])
  },
)

test(
  'a Word file of 10 million characters is cut, a mail with 5,000 parts is read, and the server needs little more memory',
  { timeout: 300_000 },
  async () => {
    await readReason('warm.docx', createDocx(['warm']))
    const before = process.memoryUsage.rss()
    const long = await waitForText(ada, await addFile(ada, { file_name: 'long.docx' }, createRepeatedDocx('word '.repeat(2000), 1000)))
    expect([long.state, long.is_cut, long.text.length]).toEqual(['ready', true, 1_000_000])
    const parts = Array.from({ length: 5000 }, (_, number) => `--x\r\nContent-Type: text/plain\r\n\r\nPart ${number}\r\n`).join('')
    const mail = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${parts}--x--`
    expect(await waitForText(ada, await addFile(ada, { file_name: 'parts.eml' }, Buffer.from(mail)))).toMatchObject({ state: 'ready' })
    expect((process.memoryUsage.rss() - before) / 1e6).toBeLessThan(150)
  },
)

/** Uploads a PDF that takes some seconds to read. Returns the file, and the id of the process that reads it. */
async function uploadSlowPdf() {
  const file = await addFile(ada, { file_name: 'forms.pdf' }, createFormsPdf(300))
  const programId = await waitUntil(() => findTextPrograms(process.pid)[0])
  return { file, programId }
}

test.runIf(process.env['FOYER_FULL'] === '1')('a program that does not end is ended after 15 seconds', { timeout: 300_000 }, async () => {
  const { file, programId } = await uploadSlowPdf()
  process.kill(programId, 'SIGSTOP')
  expect(await waitForText(ada, file)).toMatchObject({ state: 'failed', reason: 'timeout' })
  expect(isRunning(programId)).toBe(false)
})

test('a file on which the program crashes counts as damaged, and is not read again', { timeout: 300_000 }, async () => {
  const { file, programId } = await uploadSlowPdf()
  process.kill(programId, 'SIGSEGV')
  expect(await waitForText(ada, file)).toMatchObject({ state: 'failed', reason: 'damaged' })
  await expect.poll(async () => (await app.tableOwner.query('select from jobs.jobs where owner = $1', [ada.id])).rowCount).toBe(0)
})

/** Returns a PDF whose page draws a form `count` times. This form draws another form `count` times. */
function createFormsPdf(count: number): Buffer {
  const stream = (fields: string, content: string): string => `<< ${fields} /Length ${content.length} >>\nstream\n${content}\nendstream`
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /A 5 0 R >> >> /Contents 4 0 R >>',
    stream('', '/A Do '.repeat(count)),
    stream(`${form} /Resources << /XObject << /B 6 0 R >> >>`, '/B Do '.repeat(count)),
    stream(`${form} /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>`, 'BT /F 9 Tf (a) Tj ET'),
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer\n<< /Root 1 0 R >>\n`)
}
