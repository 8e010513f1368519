import { kindNames, type KindName } from './kinds.ts'

/** The records that examples name: one of each kind, a second contact, a saved view, a contact in the trash, a change, a session. */
export type ExampleName = KindName | (typeof others)[number]
const others = ['colleague', 'view', 'deleted', 'change', 'session'] as const
export const exampleNames: readonly ExampleName[] = [...kindNames, ...others]

/** The id of a record in examples. Tests replace it by a real one. */
export const exampleId = (name: ExampleName): string =>
  `01930000-0000-7000-8000-${String(exampleNames.indexOf(name) + 1).padStart(12, '0')}`
