import type { OwnedTable } from '#server/platform/feature/context.ts'

/** Returns the text that explains the zip to its reader. */
export function createReadme(tables: readonly OwnedTable[], at: Date): string {
  const names = tables.map(({ name }) => `  ${name}.csv and ${name}.json`)
  const text = `Everything from your Foyer workspace, as it was on ${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 16)} UTC.

RECORDS

${names.join('\n')}

Each pair has the same records. The CSV files open in a spreadsheet: Excel, LibreOffice, Numbers or
Google Sheets. The JSON files are for programs: a list with one record in each line. All texts are UTF-8.
Times are in UTC, and dates are year-month-day.

Every record has an id. A column that ends in _id has the id of another record; the CSV has the name of
that record in a column beside it. In the CSV files, a text that a spreadsheet would run as a formula
begins with an apostrophe; the JSON files have the text unchanged.

FILES

  files/          your files, in the same folders as in Foyer
  attachments/    the files that are attached to contacts, in a folder for each contact

files.csv has the place of each file in the column path. Characters that some systems do not allow in
names are replaced by _, and equal names get a number.

WHAT IS NOT HERE

The trash and the history of changes, unfinished uploads, files that wait for their import and the rows
that an import did not take, your password, your sessions, your AI connection with its key, and the keys
of your connections to other CRMs. To take a deleted record or file with you, restore it from the trash
first.
`
  return text.replaceAll('\n', '\r\n') // for the plain text editors of Windows
}
