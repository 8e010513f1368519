import { expect, test } from 'vitest'
import { cycles, importsOf, refusal } from './imports.ts'

const order = ['contacts', 'deals']

test.each([
  ['contract/contacts.ts', undefined, 'fastify', 'the contract knows only zod'],
  ['contract/contacts.ts', 'server/config.ts', '#server/config.ts', 'the contract knows nothing of ours'],
  ['server/platform/http/app.ts', 'server/contacts/contacts.ts', '#server/contacts/contacts.ts', 'the platform knows no feature'],
  ['server/platform/http/app.ts', 'contract/contacts.ts', '#contract/contacts.ts', 'the platform knows no feature of the contract'],
  [
    'server/deals/deals.ts',
    'server/contacts/store.ts',
    '../contacts/store.ts',
    'only the front door server/contacts/contacts.ts is open to others',
  ],
  ['server/contacts/contacts.ts', 'server/deals/deals.ts', '#server/deals/deals.ts', 'deals is not listed before contacts in features.ts'],
  ['server/contacts/routes.ts', 'web/lib/client.ts', '#web/lib/client.ts', 'server may not import web'],
  ['web/ui/Table.tsx', 'contract/contacts.ts', '#contract/contacts.ts', 'web/ui knows nothing of ours'],
  ['web/lib/client.ts', 'web/ui/Table.tsx', '#web/ui/Table.tsx', 'web/lib knows nothing else of the web'],
  ['web/lib/client.ts', undefined, 'node:fs', 'the web knows no Node'],
  ['web/contacts/ContactsPage.tsx', 'web/deals/DealsTab.tsx', '#web/deals/DealsTab.tsx', 'web/contacts may not look into web/deals'],
  ['web/contacts/ContactsPage.tsx', 'web/shell/Frame.tsx', '#web/shell/Frame.tsx', 'web/contacts may not look into web/shell'],
  ['web/records/useRecordEditor.ts', 'web/contacts/queries.ts', '#web/contacts/queries.ts', 'web/records knows no feature'],
  ['web/lib/client.ts', 'web/records/fields.ts', '#web/records/fields.ts', 'web/lib knows nothing else of the web'],
  ['web/shell/Frame.tsx', 'web/records/fields.ts', '#web/records/fields.ts', 'the shell knows only the index of a feature'],
  ['web/shell/Frame.tsx', 'web/contacts/ContactsPage.tsx', '#web/contacts/ContactsPage.tsx', 'the shell knows only the index of a feature'],
  ['web/public/landing/Landing.tsx', 'web/ui/Table.tsx', '#web/ui/Table.tsx', 'public pages know only the contract and their own pieces'],
  ['web/brand/mark.ts', 'web/ui/Table.tsx', '#web/ui/Table.tsx', 'web/brand is strings alone'],
  ['web/brand/mark.ts', undefined, 'react', 'web/brand is strings alone'],
  [
    'web/contacts/ContactsPage.tsx',
    'web/brand/door.ts',
    '#web/brand/door.ts',
    'the brand is shown by web/ui, web/public and web/shell only',
  ],
  ['web/contacts/queries.ts', 'server/contacts/store.ts', '#server/contacts/store.ts', 'web may not import server'],
])('%s may not import %s', (file, to, specifier, why) => {
  expect(refusal(file, to, specifier, order)).toBe(why)
})

test.each([
  ['contract/contacts.ts', undefined, 'zod'],
  ['server/deals/deals.ts', 'server/contacts/contacts.ts', '#server/contacts/contacts.ts'],
  ['server/contacts/store.ts', 'server/platform/database/pool.ts', '#server/platform/database/pool.ts'],
  ['server/platform/http/mount.ts', 'contract/route.ts', '#contract/route.ts'],
  ['server/platform/journal/history.ts', 'contract/changes.ts', '#contract/changes.ts'],
  ['server/platform/journal/tail.ts', 'contract/events.ts', '#contract/events.ts'],
  ['server/platform/database/transaction.ts', 'contract/actors.ts', '#contract/actors.ts'],
  ['server/features.ts', 'server/contacts/routes.ts', '#server/contacts/routes.ts'],
  ['web/shell/Application.tsx', 'web/contacts/index.tsx', '#web/contacts/index.tsx'],
  ['web/contacts/ContactsPage.tsx', 'web/ui/Table.tsx', '#web/ui/Table.tsx'],
  ['web/contacts/ContactForm.tsx', 'web/records/useRecordEditor.ts', '#web/records/useRecordEditor.ts'],
  ['web/records/RecordField.tsx', 'web/lib/session.ts', '#web/lib/session.ts'],
  ['web/records/queries.ts', 'contract/changes.ts', '#contract/changes.ts'],
  ['web/ui/Logo.tsx', 'web/brand/mark.ts', '#web/brand/mark.ts'],
  ['web/public/Logo.tsx', 'web/brand/mark.ts', '#web/brand/mark.ts'],
  ['web/shell/NotFoundPage.tsx', 'web/brand/notFound.ts', '#web/brand/notFound.ts'],
])('%s may import %s', (file, to, specifier) => {
  expect(refusal(file, to, specifier, order)).toBeUndefined()
})

test('every way to import is seen, TSX included', () => {
  const source = `import type { A } from './a.ts'; import './b.css'; export * from './c.ts'; export type { D } from './d.ts'
    const view = <p>don't / it's</p>; const Lazy = () => import('./e.ts'); import { type F, g } from './f.ts'`
  expect(
    importsOf('x.tsx', source)
      .map(({ specifier, typeOnly }) => `${specifier} ${typeOnly}`)
      .toSorted(),
  ).toEqual(['./a.ts true', './b.css false', './c.ts false', './d.ts true', './e.ts false', './f.ts false'])
})

test('a cycle is found, one of types alone is none', () => {
  const edge = (from: string, to: string, typeOnly = false) => ({ from, to, typeOnly })
  expect(cycles([edge('a', 'b'), edge('b', 'c'), edge('c', 'a')])).toEqual(['a -> b -> c -> a'])
  expect(cycles([edge('a', 'b'), edge('b', 'a', true)])).toEqual([])
})
