import { kindNames, type KindName } from './kinds.ts'

/** The records in examples: one of each kind, and these. `colleague` is a second contact, `deleted` a contact in the trash. */
export type ExampleName = KindName | (typeof otherExamples)[number]
const otherExamples = ['colleague', 'view', 'deleted', 'change', 'session'] as const
export const exampleNames: readonly ExampleName[] = [...kindNames, ...otherExamples]

/** Returns the id of a record in examples. Tests replace it by the id of an existing record. */
export const exampleId = (name: ExampleName): string =>
  `01930000-0000-7000-8000-${String(exampleNames.indexOf(name) + 1).padStart(12, '0')}`
