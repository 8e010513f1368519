// Small documents of the types from which text is read, with the parts that the readers need.
import { createZip } from './create-zip.ts'

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** Returns the main document of a Word file with these paragraphs, which may contain markup. */
export const createWordXml = (paragraphs: readonly string[]): string =>
  `${xml}<w:document ${wordNamespace}><w:body>${paragraphs.map((text) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`).join('')}</w:body></w:document>`

/** Returns a Word file. */
export const createDocx = (paragraphs: readonly string[]): Buffer =>
  createZip([
    { name: '[Content_Types].xml', content: `${xml}<Types/>` },
    { name: 'word/header1.xml', content: `${xml}<w:hdr ${wordNamespace}><w:p><w:r><w:t>Letterhead</w:t></w:r></w:p></w:hdr>` },
    { name: 'word/document.xml', content: createWordXml(paragraphs) },
  ])

/**
 * Returns an Excel file with two sheets: "Offers" with these rows, whose texts are in the file of shared texts, and "Costs" with one text.
 */
export function createXlsx(rows: readonly (readonly (string | number)[])[]): Buffer {
  const texts = [...new Set(rows.flat().filter((value) => typeof value === 'string'))].toReversed() // not in the order of the rows
  const toCell = (value: string | number): string =>
    typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="s"><v>${texts.indexOf(value)}</v></c>`
  const data = rows.map((row) => `<row>${row.map(toCell).join('')}</row>`).join('')
  return createZip([
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook xmlns:r="r"><sheets><sheet name="Offers" r:id="rId2"/><sheet name="Costs" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${xml}<Relationships><Relationship Id="rId1" Target="/xl/worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      // `rPh` is the pronunciation of a text, which must not be read
      content: `${xml}<sst>${texts.map((text) => `<si><r><t>${text}</t></r><rPh><t>spoken</t></rPh></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `${xml}<worksheet><sheetData><row><c t="inlineStr"><is><t>Rent</t></is></c></row></sheetData></worksheet>`,
    },
    { name: 'xl/worksheets/sheet2.xml', content: `${xml}<worksheet><sheetData>${data}</sheetData></worksheet>` },
  ])
}

/** Returns a PowerPoint file with a slide for each text; the first slide has notes. */
export function createPptx(slides: readonly string[], notes: string): Buffer {
  const toXml = (text: string): string =>
    `${xml}<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:cSld></p:sld>`
  const entries = slides.map((text, index) => ({ name: `ppt/slides/slide${index + 1}.xml`, content: toXml(text) }))
  // not in the order of the slides
  return createZip([...entries.toReversed(), { name: 'ppt/notesSlides/notesSlide1.xml', content: toXml(notes) }])
}

/** Returns an OpenDocument file with this body. */
export const createOpenDocument = (type: 'text' | 'spreadsheet' | 'presentation', body: string, manifest = ''): Buffer =>
  createZip([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${type}` },
    { name: 'META-INF/manifest.xml', content: `${xml}<manifest:manifest xmlns:manifest="m">${manifest}</manifest:manifest>` },
    {
      name: 'content.xml',
      content: `${xml}<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body>${body}</office:body></office:document-content>`,
    },
  ])

/** Returns a PDF whose pages have these lines of Latin text. `trailerFields` are added to the trailer. */
export function createPdf(pages: readonly string[], trailerFields = ''): Buffer<ArrayBuffer> {
  const objects: string[] = []
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`)
  objects.push('<< /Type /Catalog /Pages 2 0 R >>')
  objects.push(`<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`)
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  for (const [index, text] of pages.entries()) {
    const stream = `BT /F1 12 Tf 72 720 Td (${text.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      `<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`,
    )
  }
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailerFields} >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1')
}
