// PDF files for tests.
import { createHash } from 'node:crypto'

type PdfOptions = {
  /** Encrypts the file; this password opens it. */
  password?: string
  /** Adds an object of this size that no page uses. */
  unusedBytes?: number
}

/** Makes a PDF with a page for each list of lines. */
export function makePdf(pages: readonly (readonly string[])[], { password, unusedBytes }: PdfOptions = {}): Buffer {
  const id = Buffer.from('0123456789abcdef')
  const encryption = password === undefined ? undefined : createEncryption(password, id)
  // the objects 1 to 3 are the catalogue, the list of pages and the font; then each page has an object and another one with its content
  const objectNumberOfPage = (index: number): number => 4 + index * 2
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${objectNumberOfPage(index)} 0 R`).join(' ')}] >>`,
    ),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
  ]
  for (const [index, lines] of pages.entries()) {
    const contentNumber = objectNumberOfPage(index) + 1
    const text = Buffer.from(`BT /F1 14 Tf 18 TL 72 720 Td ${lines.map((line) => `(${escape(line)}) Tj T*`).join(' ')} ET`, 'latin1')
    const content = encryption ? encryption.encrypt(text, contentNumber) : text
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${contentNumber} 0 R >>`,
      ),
      makeStream(content),
    )
  }
  if (unusedBytes !== undefined) objects.push(makeStream(Buffer.alloc(unusedBytes, 'x')))
  if (encryption) objects.push(Buffer.from(encryption.dictionary))
  const trailer = `/Root 1 0 R /ID [<${id.toString('hex')}> <${id.toString('hex')}>]${encryption ? ` /Encrypt ${objects.length} 0 R` : ''}`
  return joinObjects(objects, trailer)
}

/** Makes a PDF with a black square, compressed like a fax, and the Japanese text "あい" in a font that is not in the file. */
export function makeScannedPdf(): Buffer {
  const black = Buffer.from([0xff, 0x00, 0x10, 0x01]) // 8 white rows in the fax compression Group 4; `BlackIs1` makes them black
  const image =
    '/Type /XObject /Subtype /Image /Width 8 /Height 8 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode ' +
    '/DecodeParms << /K -1 /Columns 8 /Rows 8 /BlackIs1 true >>'
  return joinObjects(
    [
      Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
      Buffer.from('<< /Type /Pages /Count 1 /Kids [3 0 R] >>'),
      Buffer.from(
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R ' +
          '/Resources << /XObject << /I 5 0 R >> /Font << /F1 6 0 R >> >> >>',
      ),
      makeStream(Buffer.from('BT /F1 30 Tf 40 340 Td <82a082a2> Tj ET 200 0 0 200 100 100 cm /I Do')),
      makeStream(black, image),
      Buffer.from('<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiKakuGo-W5 /Encoding /90ms-RKSJ-H /DescendantFonts [7 0 R] >>'),
      Buffer.from(
        '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiKakuGo-W5 /FontDescriptor 8 0 R ' +
          '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>',
      ),
      Buffer.from(
        '<< /Type /FontDescriptor /FontName /HeiseiKakuGo-W5 /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 ' +
          '/Descent -200 /CapHeight 700 /StemV 80 >>',
      ),
    ],
    '/Root 1 0 R',
  )
}

const makeStream = (content: Buffer, entries = ''): Buffer =>
  Buffer.concat([Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n`), content, Buffer.from('\nendstream')])

const escape = (text: string): string => text.replaceAll(/[\\()]/g, (character) => `\\${character}`)

/** Joins the objects to a file, with the table of their positions. */
function joinObjects(objects: readonly Buffer[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  let length = 9
  const positions = objects.map((object, index) => {
    const position = length
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
    return position
  })
  const rows = positions.map((position) => `${String(position).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

/** The bytes with which the standard fills a short password. */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const keyBytes = 5

/** The standard encryption of revision 2 (ISO 32000-1, 7.6.3), which is enough for a test. */
function createEncryption(password: string, id: Buffer) {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), padding]).subarray(0, 32)
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const ownerEntry = rc4(md5(padded).subarray(0, keyBytes), padded)
  const key = md5(padded, ownerEntry, permissions, id).subarray(0, keyBytes)
  const userEntry = rc4(key, padding)
  return {
    dictionary: `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${ownerEntry.toString('hex')}> /U <${userEntry.toString('hex')}> >>`,
    encrypt: (content: Buffer, objectNumber: number): Buffer => {
      const number = Buffer.from([objectNumber, objectNumber >> 8, objectNumber >> 16, 0, 0])
      return rc4(md5(key, number).subarray(0, keyBytes + 5), content)
    },
  }
}

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()

/** Encrypts with RC4, which the cryptography of Node no longer has. */
function rc4(key: Buffer, content: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (one: number, other: number): void => {
    const value = state[one] ?? 0
    state[one] = state[other] ?? 0
    state[other] = value
  }
  let second = 0
  for (let first = 0; first < 256; first += 1) {
    second = (second + (state[first] ?? 0) + (key[first % key.length] ?? 0)) % 256
    swap(first, second)
  }
  second = 0
  return Buffer.from(
    content.map((byte, index) => {
      const first = (index + 1) % 256
      second = (second + (state[first] ?? 0)) % 256
      swap(first, second)
      return byte ^ (state[((state[first] ?? 0) + (state[second] ?? 0)) % 256] ?? 0)
    }),
  )
}
