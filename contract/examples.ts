import { kindNames, type KindName } from './kinds.ts'

/**
 * The names of the records that the routes' examples refer to: one record of each kind, and `otherExamples`. `colleague` is a second
 * contact, `deleted` is a contact in the trash. No part of `upload` has been sent yet. The storage path of the file is the ids of `owner`
 * and `storedObject` with a slash between them.
 */
export type ExampleName = KindName | (typeof otherExamples)[number]
const otherExamples = [
  'colleague',
  'view',
  'deleted',
  'change',
  'session',
  'upload',
  'uploadWithAllParts',
  'owner',
  'storedObject',
  'zip',
  'message',
  'answer',
  'messageFile',
  'proposal',
  'import',
  'crmConnection',
  'otherCalendar',
  'submissionFile',
  'mail',
  'apiKey',
  'webhook',
  'webhookDelivery',
] as const
export const exampleNames: readonly ExampleName[] = [...kindNames, ...otherExamples]

/** Returns the fixed id that stands for a record in examples. Tests replace the fixed id by the id of an existing record. */
export const exampleId = (name: ExampleName): string =>
  `01930000-0000-7000-8000-${String(exampleNames.indexOf(name) + 1).padStart(12, '0')}`
