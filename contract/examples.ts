import { kindNames, type KindName } from './kinds.ts'

/** What examples speak of: a record of each kind, a second contact, a saved view, a contact in the trash, a change, a session. */
export type ExampleName = KindName | (typeof others)[number]
const others = ['colleague', 'view', 'deleted', 'change', 'session'] as const
export const exampleNames: readonly ExampleName[] = [...kindNames, ...others]

/** The id that examples use. Tests put a real one in its place. */
export const exampleId = (name: ExampleName): string =>
  `01930000-0000-7000-8000-${String(exampleNames.indexOf(name) + 1).padStart(12, '0')}`
