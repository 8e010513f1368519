import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kinds } from './features.ts'

/** The files that write records without the verbs, and apply the rules of their kinds themselves. */
const exceptions = [
  'server/contacts/duplicates.ts', // a new contact only if there is no duplicate
  'server/contacts/merge/merge.store.ts', // several contacts become one
  'server/contacts/phone-keys.job.ts', // derived columns
  'server/contacts/store-contacts.ts', // many contacts in one statement
  'server/files/folders/folders.store.ts', // many folders of an upload in one statement
  'server/imports/job/link-managers.ts', // many contacts in one statement
  'server/imports/records/store-contact-rows.ts', // many notes in one statement
  'server/imports/records/store-other-rows.ts', // many records in one statement
  'server/lead-forms/public-forms.store.ts', // a submission of a visitor
  'server/lead-forms/submissions.ts', // the spam folder, which no edit of a user changes
  'server/sync/store-page.ts', // many contacts in one statement
]

test('records are written with the verbs, except in the files that are named here', () => {
  const tables = kinds.map(({ table }) => table)
  const write = new RegExp(String.raw`(insert into|update) (${[...tables, String.raw`\$\{(kind\.)?table\}`].join('|')})\s(?!on\b)`)
  const files = globSync('server/**/*.ts', { exclude: ['**/*.test.ts', 'server/testing/**', 'server/platform/**'] })
  expect(files.filter((file) => write.test(readFileSync(file, 'utf8'))).toSorted()).toEqual(exceptions)
})
