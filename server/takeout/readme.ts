import type { TakeoutTable } from '#server/platform/feature/context.ts'

/** Returns the text that explains the zip to its reader. */
export function createReadme(tables: readonly TakeoutTable[], at: Date): string {
  const names = tables.map(({ name }) => `  ${name}.csv and ${name}.json`)
  const text = `Everything from your Foyer workspace, as it was on ${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 16)} UTC.

RECORDS

${names.join('\n')}

Each pair has the same records. The CSV files open in a spreadsheet: Excel, LibreOffice, Numbers or
Google Sheets. The JSON files are for programs: one JSON array, with one record on each line. All texts are UTF-8.
Times are in UTC, and dates are year-month-day.

Every record has an id. A column that ends in _id has the id of another record; the CSV has the name of
that record in a column beside it. In the CSV files, a text that a spreadsheet would run as a formula
begins with an apostrophe; the JSON files have the text unchanged.

FILES

  files/             your files, in the same folders as in Foyer
  attachments/       the files that are attached to contacts, in a folder for each contact
  files of forms/    the files that visitors sent with your lead forms, in a folder for each form, and in
                     it a folder for each submission, with the name of the visitor
  files of answers/  the files in the answers of the assistant, in a folder for each file

The column "path" of files.csv, form_submission_files.csv and message_files.csv says where each file is in
this zip. Characters that some systems do not allow in names are replaced by _, and equal names get a
number. Files whose path would be too long are in the folder "files in deep folders" and have their id as
their name.

WHAT IS NOT HERE

The trash and the history of changes. To take a deleted record or file with you, restore it from the
trash first. Some tables above still have rows that belong to a deleted record, such as the messages of a
deleted conversation, but not their files.

Unfinished uploads, files that wait for their import, and the rows that an import did not take.

Your password, your sessions, your AI connection with its key, and other secrets: your API keys, the keys
of your connections to other CRMs, the secrets of your webhooks, the addresses of your other calendars,
and the address at which other programs read your calendar.
`
  return text.replaceAll('\n', '\r\n') // for the plain text editors of Windows
}
