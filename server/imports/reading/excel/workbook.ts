import { UnreadableTable } from '../table.ts'
import type { ExcelPackage } from './package.ts'

export type Sheet = { name: string; path: string; isHidden: boolean }
/** The sheets of a workbook in their order. `is1904`: dates count from 1904, as in old files of the Mac. */
export type Workbook = { sheets: Sheet[]; is1904: boolean }

const maxSheets = 1000

/** Reads the list of sheets. Throws `UnreadableTable`, also if the file is no Excel file. */
export async function readWorkbook(excel: ExcelPackage): Promise<Workbook> {
  if (!excel.has('xl/workbook.xml')) throw new UnreadableTable('unsupported')
  const pathById = new Map<string, string>()
  const relationshipPieces = excel.readXml('xl/_rels/workbook.xml.rels', {
    open: (_name, { Id: id = '', Target: target = '' }) => {
      if (pathById.size < maxSheets * 10) pathById.set(id, target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`)
    },
  })
  for await (const _ of relationshipPieces); // the handlers do the work
  const sheets: Sheet[] = []
  let is1904 = false
  const workbookPieces = excel.readXml('xl/workbook.xml', {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '')
      if (element !== 'sheet' || sheets.length >= maxSheets) return
      const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
      const path = pathById.get(id)
      if (path && excel.has(path))
        sheets.push({ name: attributes['name'] ?? '', path, isHidden: (attributes['state'] ?? 'visible') !== 'visible' })
    },
  })
  for await (const _ of workbookPieces); // the handlers do the work
  return { sheets, is1904 }
}
