import type { FileHandle } from 'node:fs/promises'
import { createClassifier } from '../classify.ts'
import { findLayout } from '../layout.ts'
import { describeColumns, UnreadableTable, type Finding, type Table, type TableRow } from '../table.ts'
import { readAll, type OpenBytes } from '../text-stream.ts'
import { readFormats } from './formats.ts'
import { readMerges } from './merges.ts'
import { copyTo, createTemporaryFile, openPackage, type ExcelPackage } from './package.ts'
import { readSharedTexts } from './shared-texts.ts'
import { maxEmptyBytes, readSheet, type SheetContext, type SheetRow } from './sheet.ts'
import { readWorkbook, type Sheet } from './workbook.ts'

/** What users may choose. */
export type ExcelOptions = { sheet?: string; hasHeader?: boolean }

/** Reading for the description stops after the batch of rows that reaches this number. */
const inspectedRows = 500

/**
 * Opens an Excel file (.xlsx): the chosen sheet, or the first one with data, visible ones first. Throws `UnreadableTable`, and the reason
 * of an aborted signal.
 */
export async function openExcel(bytes: OpenBytes, options: ExcelOptions, signal?: AbortSignal): Promise<Table> {
  const files: FileHandle[] = []
  const close = async (): Promise<void> => {
    for (const file of files.splice(0)) await file.close()
  }
  const createFile = async (): Promise<FileHandle> => {
    const file = await createTemporaryFile()
    files.push(file)
    return file
  }
  try {
    return await openCopy(bytes, { ...options, signal }, createFile, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function openCopy(
  bytes: OpenBytes,
  options: ExcelOptions & { signal: AbortSignal | undefined },
  createFile: () => Promise<FileHandle>,
  close: Table['close'],
): Promise<Table> {
  const file = await createFile()
  await copyTo(file, readAll(bytes))
  const excel = await openPackage(file, options)
  const { sheets, is1904 } = await readWorkbook(excel)
  const formats = await readFormats(excel)
  const sharedTexts = await readSharedTexts(excel, await createFile())
  const context: SheetContext = { sharedTexts, formats, is1904 }
  let errors = 0
  const onCellError = (): void => void errors++
  const sheet = await findSheet(excel, sheets, options.sheet, context)
  const merges = await readMerges(excel, sheet.path)
  const rows = await readFirstRows(excel, sheet, { ...context, merges, onCellError })
  const layout = findLayout(rows, options.hasHeader)
  const classifier = createClassifier(layout)
  const classified = [...classifier.push(rows), ...classifier.end()]
  const findings: Finding[] = [...describeSheet(sheet, sheets), ...layout.findings]
  if (errors > 0) findings.push({ code: 'cell_errors', message: 'Cells with errors, such as #N/A, are read as empty.' })
  if (merges.size > 0) findings.push({ code: 'merged_cells', message: 'Cells that cover several rows have their value in each of them.' })
  return {
    description: {
      format: 'excel',
      encoding: null,
      separator: null,
      sheet: sheet.name,
      sheets: sheets.map(({ name }) => name),
      headerLine: layout.headerLine,
      findings,
      ...describeColumns(layout.headers, classified),
    },
    rows: readRows(excel, sheet, { ...context, merges }, createClassifier(layout), close),
    close,
  }
}

/** Returns the chosen sheet, or the first one with data; visible sheets come before hidden ones. Throws `UnreadableTable`. */
async function findSheet(excel: ExcelPackage, sheets: readonly Sheet[], chosen: string | undefined, context: SheetContext): Promise<Sheet> {
  const visibleFirst = sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden))
  const candidates = chosen === undefined ? visibleFirst : sheets.filter(({ name }) => name === chosen)
  const emptyPaths = new Set<string>() // a damaged or malicious file can have many sheets with the same document
  let emptyBytes = 0
  for (const sheet of candidates) {
    const path = sheet.path.toLowerCase() // the names of documents ignore case
    if (emptyPaths.has(path)) continue
    if ((await readFirstRows(excel, sheet, context)).length > 0) return sheet
    emptyPaths.add(path)
    emptyBytes += excel.sizeOf(path)
    if (emptyBytes > maxEmptyBytes) throw new UnreadableTable('too_large')
  }
  throw new UnreadableTable('empty')
}

async function readFirstRows(excel: ExcelPackage, sheet: Sheet, context: SheetContext): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  for await (const more of readSheet(excel, sheet.path, context)) {
    for (const row of more) rows.push(row) // there may be more rows than a call can have arguments
    if (rows.length >= inspectedRows) break
  }
  return rows
}

function describeSheet(sheet: Sheet, sheets: readonly Sheet[]): Finding[] {
  if (sheets.length < 2) return []
  return [{ code: 'sheet', message: `The sheet "${sheet.name}" is read, which is one of ${sheets.length} sheets.` }]
}

async function* readRows(
  excel: ExcelPackage,
  sheet: Sheet,
  context: SheetContext,
  classifier: ReturnType<typeof createClassifier>,
  close: Table['close'],
): AsyncGenerator<TableRow> {
  try {
    for await (const rows of readSheet(excel, sheet.path, context)) yield* classifier.push(rows)
    yield* classifier.end()
  } finally {
    await close()
  }
}
