// Creates small documents and pictures for the demo account: PDFs with text, pictures of wood, and tables.
import { crc32, deflateSync } from 'node:zlib'

/** Creates a PDF with one page of A4: a title in bold, and lines of text below it. Only characters of Latin-1 are possible. */
export function createPdf(title: string, lines: readonly string[]): Buffer {
  // BT and ET enclose text; Tf sets font and size, Td moves the position, TL sets the line height, Tj writes, T* goes to the next line
  const content = [
    'BT /F2 20 Tf 56 770 Td',
    `${toPdfText(title)} Tj /F1 11 Tf 16 TL 0 -36 Td`,
    ...lines.map((line) => `${toPdfText(line)} Tj T*`),
    'ET',
  ].join('\n')
  const font = (name: string): string => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  return joinPdfObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ])
}

/** Returns a text in the syntax of PDF: in parentheses, with a backslash before each backslash and parenthesis in it. */
const toPdfText = (text: string): string => `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})`

/**
 * Joins the objects of a PDF, numbered from 1, and adds the table `xref` with the position of each object in bytes. The first object is the
 * catalogue, where a reader of the PDF begins.
 */
function joinPdfObjects(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n'
  const positions = objects.map((object, index) => {
    const position = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(position).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  text += `xref\n0 ${count}\n0000000000 65535 f \n${positions.join('')}`
  text += `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.indexOf('xref\n0 ')}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** A colour as red, green and blue from 0 to 255. */
type Colour = readonly [number, number, number]

const [pictureWidth, pictureHeight] = [480, 320]

/** Creates a PNG that looks like a board of wood: the light colour with lines in the dark colour. Each seed gives another picture. */
export function createWoodPicture([light, dark]: readonly [Colour, Colour], seed: number): Buffer {
  const rows = Array.from({ length: pictureHeight }, (_, y) => {
    const row = Buffer.alloc(1 + pictureWidth * 3) // the first byte says that the row is stored without a filter
    for (let x = 0; x < pictureWidth; x++) {
      const darkness = computeDarkness(x, y, seed)
      for (const channel of [0, 1, 2] as const)
        row[1 + x * 3 + channel] = Math.round(light[channel] + (dark[channel] - light[channel]) * darkness)
    }
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pictureWidth, 0)
  header.writeUInt32BE(pictureHeight, 4)
  header.set([8, 2, 0, 0, 0], 8) // 8 bits for each colour; 2 means red, green and blue; the zeros are the usual methods of PNG
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [toPngChunk('IHDR', header), toPngChunk('IDAT', deflateSync(Buffer.concat(rows))), toPngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}

/**
 * Returns how dark the wood is at a point, from 0 to 1: long waves for the rings of the tree, one dark knot, and thin random fibres. The
 * numbers have no meaning; they were tried until the picture looked right.
 */
function computeDarkness(x: number, y: number, seed: number): number {
  const knot = Math.exp(-(((x - 330 + seed * 40) / 90) ** 2) - ((y - 150 - seed * 12) / 34) ** 2)
  const wave = y / 9 + Math.sin(x / 130 + seed) * 2.4 + Math.sin(x / 47 + seed * 2) * 0.5 + knot * 7
  const ring = (Math.sin(wave) + 1) / 2
  const fibre = Math.abs(Math.sin((x * 12.9898 + y * 78.233 + seed) * 43_758.5453)) * 0.12
  return Math.min(1, ring ** 3 * 0.62 + knot * 0.3 + fibre)
}

/** Returns a chunk of a PNG: the length of the content, the type, the content, and a checksum. */
function toPngChunk(type: string, content: Buffer): Buffer {
  const typeAndContent = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.byteLength)
  checksum.writeUInt32BE(crc32(typeAndContent))
  return Buffer.concat([length, typeAndContent, checksum])
}

/** Creates a CSV file, a table that spreadsheet programs open. Each value is in quotes. */
export const createCsv = (rows: readonly (readonly (string | number)[])[]): Buffer =>
  Buffer.from(rows.map((row) => row.map((value) => `"${String(value).replaceAll('"', '""')}"`).join(',')).join('\r\n'))
