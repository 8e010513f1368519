import { expect, test } from 'vitest'
import { findCycles, findImportError, folderOf, importsOf, readFeatureOrder } from './imports.ts'

/** The features in the order of server/features.ts: deals may import contacts, but contacts may not import deals. */
const featureOrder = ['contacts', 'deals']

// each entry: the file, the imported file (undefined for a package), the import as it is written, and the error
test.each([
  ['contract/contacts.ts', undefined, 'fastify', 'the contract may import only zod'],
  ['contract/contacts.ts', 'server/config.ts', '#server/config.ts', 'the contract may import only zod'],
  ['server/platform/http/app.ts', 'server/contacts/contacts.ts', '#server/contacts/contacts.ts', 'the platform may not import a feature'],
  ['server/platform/http/app.ts', 'contract/contacts.ts', '#contract/contacts.ts', 'the platform may not import the contract of a feature'],
  [
    'server/deals/deals.ts',
    'server/contacts/store.ts',
    '../contacts/store.ts',
    'other features may import only server/contacts/contacts.ts',
  ],
  ['server/contacts/contacts.ts', 'server/deals/deals.ts', '#server/deals/deals.ts', 'deals is not listed before contacts in features.ts'],
  ['server/contacts/routes.ts', 'web/lib/client.ts', '#web/lib/client.ts', 'server may not import web'],
  ['web/ui/Table.tsx', 'contract/contacts.ts', '#contract/contacts.ts', 'web/ui may not import the contract'],
  ['web/lib/client.ts', 'web/ui/Table.tsx', '#web/ui/Table.tsx', 'web/lib may not import other folders of web'],
  ['web/lib/client.ts', undefined, 'node:fs', 'web may not import Node modules'],
  ['web/contacts/ContactsPage.tsx', 'web/deals/DealsTab.tsx', '#web/deals/DealsTab.tsx', 'web/contacts may not import web/deals'],
  ['web/contacts/ContactsPage.tsx', 'web/shell/Frame.tsx', '#web/shell/Frame.tsx', 'web/contacts may not import web/shell'],
  ['web/records/useRecordEditor.ts', 'web/contacts/queries.ts', '#web/contacts/queries.ts', 'web/records may not import a feature'],
  ['web/lib/client.ts', 'web/records/fields.ts', '#web/records/fields.ts', 'web/lib may not import other folders of web'],
  [
    'web/shell/Frame.tsx',
    'web/records/fields.ts',
    '#web/records/fields.ts',
    'web/shell may import only web/ui, web/lib and the index of other folders of web',
  ],
  [
    'web/shell/Frame.tsx',
    'web/contacts/ContactsPage.tsx',
    '#web/contacts/ContactsPage.tsx',
    'web/shell may import only web/ui, web/lib and the index of other folders of web',
  ],
  ['web/public/landing/Landing.tsx', 'web/ui/Table.tsx', '#web/ui/Table.tsx', 'web/public may import only the contract and web/brand'],
  ['web/brand/drawings.ts', 'web/ui/Table.tsx', '#web/ui/Table.tsx', 'web/brand holds only strings and may not import other code'],
  ['web/brand/drawings.ts', undefined, 'react', 'web/brand holds only strings and may not import other code'],
  [
    'web/contacts/ContactsPage.tsx',
    'web/brand/drawings.ts',
    '#web/brand/drawings.ts',
    'only web/ui, web/public and web/shell may import web/brand',
  ],
  ['server/assistant/answers.ts', undefined, 'ai', 'only server/platform/ai may import the AI SDK'],
  ['web/assistant/Chat.tsx', undefined, '@ai-sdk/openai-compatible', 'only server/platform/ai may import the AI SDK'],
  ['web/contacts/queries.ts', 'server/contacts/store.ts', '#server/contacts/store.ts', 'web may not import server'],
])('%s may not import %s (written as %s): %s', (file, to, specifier, error) => {
  expect(findImportError(file, to, specifier, featureOrder)).toBe(error)
})

test.each([
  ['contract/contacts.ts', undefined, 'zod'],
  ['server/platform/ai/sdk.ts', undefined, 'ai'],
  ['server/deals/deals.ts', 'server/contacts/contacts.ts', '#server/contacts/contacts.ts'],
  ['server/contacts/store.ts', 'server/platform/database/pool.ts', '#server/platform/database/pool.ts'],
  ['server/platform/http/mount.ts', 'contract/route.ts', '#contract/route.ts'],
  ['server/platform/journal/history.ts', 'contract/changes.ts', '#contract/changes.ts'],
  ['server/platform/journal/change-feed.ts', 'contract/events.ts', '#contract/events.ts'],
  ['server/platform/database/transaction.ts', 'contract/actors.ts', '#contract/actors.ts'],
  ['server/features.ts', 'server/contacts/routes.ts', '#server/contacts/routes.ts'],
  ['web/shell/Application.tsx', 'web/contacts/index.tsx', '#web/contacts/index.tsx'],
  ['web/contacts/ContactsPage.tsx', 'web/ui/Table.tsx', '#web/ui/Table.tsx'],
  ['web/contacts/ContactForm.tsx', 'web/records/useRecordEditor.ts', '#web/records/useRecordEditor.ts'],
  ['web/records/RecordField.tsx', 'web/lib/session.ts', '#web/lib/session.ts'],
  ['web/records/queries.ts', 'contract/changes.ts', '#contract/changes.ts'],
  ['web/ui/Logo.tsx', 'web/brand/drawings.ts', '#web/brand/drawings.ts'],
  ['web/public/Header.tsx', 'web/brand/drawings.ts', '#web/brand/drawings.ts'],
  ['web/shell/NotFoundPage.tsx', 'web/brand/notFound.ts', '#web/brand/notFound.ts'],
])('%s may import %s', (file, to, specifier) => {
  expect(findImportError(file, to, specifier, featureOrder)).toBeUndefined()
})

test('importsOf finds static, dynamic and type imports and exports from other files, also in a file with JSX', () => {
  const source = `import type { A } from './a.ts'; import './b.css'; export * from './c.ts'; export type { D } from './d.ts'
    const view = <p>don't / it's</p>; const Lazy = () => import('./e.ts'); import { type F, g } from './f.ts'`
  expect(importsOf('x.tsx', source).toSorted()).toEqual(['./a.ts', './b.css', './c.ts', './d.ts', './e.ts', './f.ts'])
})

test('findCycles returns the shortest cycle through each node, and returns each cycle only once', () => {
  const edge = (from: string, to: string) => ({ from, to })
  expect(findCycles([edge('a', 'b'), edge('b', 'c'), edge('c', 'a')])).toEqual(['a -> b -> c -> a'])
  expect(findCycles([edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'a')])).toEqual(['a -> b -> c -> a', 'b -> c -> b'])
  expect(findCycles([edge('a', 'b'), edge('b', 'c'), edge('a', 'c')])).toEqual([])
})

test.each([
  ['server/deals/deals.ts', 'server/deals'],
  ['server/main.ts', 'server'],
  ['server/platform/refusal.ts', 'server/platform'],
  ['server/platform/database/pool.ts', 'server/platform/database'],
  ['server/platform/database/embedded/start.ts', 'server/platform/database'],
  ['web/records/tags.ts', 'web/records'],
  ['web/records/list/RecordsPage.tsx', 'web/records/list'],
  ['web/deals/board/Board.tsx', 'web/deals'],
  ['contract/deals.ts', 'contract'],
])('in the search for cycles of folders, %s belongs to the folder %s', (file, folder) => {
  expect(folderOf(file)).toBe(folder)
})

test('the features have the order of the list `features`, not the order of the imports', () => {
  const source = `import { dealFeature } from '#server/deals/deals.ts'
import { contactFeature } from '#server/contacts/routes.ts'

export const features: readonly Feature[] = [
  contactFeature,
  dealFeature,
]`
  expect(readFeatureOrder(source)).toEqual(['contacts', 'deals'])
})
