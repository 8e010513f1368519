// The records and files that the user attached to a message, as the model reads them.
import type { Reference } from '#contract/assistant.ts'
import { readFileText, readPictureForModel } from '#server/files/files.ts'
import { markUntrustedText } from '#server/platform/ai/untrusted-text.ts'
import type { Connection, Picture } from '#server/platform/ai/types.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** The maximum length of the text of one file, and of all attached texts together, in characters. */
const maxFileCharacters = 40_000
const maxCharacters = 120_000
const maxPictures = 8

type NewReference = Pick<Reference, 'kind' | 'id'>

/** Reads the titles of the attached records. Throws `not_found` with the field if one does not exist. */
export async function readReferences(
  kinds: readonly RecordKind[],
  owner: string,
  references: readonly NewReference[],
): Promise<Reference[]> {
  return Promise.all(
    references.map(async ({ kind: name, id }, index) => {
      const kind = getKind(kinds, name)
      const [row] = await sql(`select * from ${kind.table} where user_id = $1 and id = $2`, [owner, id])
      if (!row) throw new Refusal('not_found', { fields: { [`references.${index}`]: `This ${name} is no longer here` } })
      return { kind: name, id, title: kind.titleOf(row) }
    }),
  )
}

type Attachments = { text: string; pictures: Picture[] }

/** Reads the attached records and files. The text is marked as data, and says which files and pictures the model cannot read. */
export async function readAttachments(
  context: AppContext,
  caller: Caller,
  references: readonly Reference[],
  { capabilities }: Pick<Connection, 'capabilities'>,
  signal: AbortSignal,
): Promise<Attachments> {
  const texts: string[] = []
  const pictures: Picture[] = []
  let remaining = maxCharacters
  for (const reference of references) {
    const mayBePicture = reference.kind === 'file' && capabilities.vision !== false && pictures.length < maxPictures
    const picture = mayBePicture ? await readPictureForModel(context, caller, reference.id, signal).catch(() => undefined) : undefined
    signal.throwIfAborted()
    if (picture) pictures.push(picture)
    const text = (await describeReference(context, caller, reference, picture !== undefined, capabilities.vision))
      .slice(0, remaining)
      .toWellFormed()
    remaining -= text.length
    texts.push(markUntrustedText(`The user attached this ${reference.kind} (foyer:${reference.kind}/${reference.id})`, text))
  }
  return { text: texts.join('\n\n'), pictures }
}

async function describeReference(
  context: AppContext,
  caller: Caller,
  { kind: name, id, title }: Reference,
  isShown: boolean,
  vision: boolean | null,
): Promise<string> {
  const kind = getKind(context.kinds, name)
  try {
    const {
      version: _,
      updated_at: __,
      ...fields
    } = await context.database.read(caller, () => readRecord<Record<string, unknown>>(kind, caller.owner, id))
    const record = JSON.stringify(fields)
    if (name !== 'file') return record
    if (isShown) return `${record}\nThe picture is attached.`
    if (fields['has_thumbnail'] === true)
      return `${record}\nThis is a picture. ${vision === false ? 'The connected model cannot see pictures' : 'It could not be attached'}; tell the user so.`
    const { state, text, is_cut } = await context.database.read(caller, () => readFileText(caller.owner, id))
    if (state === 'waiting') return `${record}\nThe text of this file has not been read yet; tell the user to ask again in a moment.`
    if (state === 'failed' || text === '') return `${record}\nThis file has no text that can be read.`
    const isShortened = is_cut || text.length > maxFileCharacters
    return `${record}\n${isShortened ? 'The beginning of its text' : 'Its text'}:\n${text.slice(0, maxFileCharacters)}`
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return `${title}\nThis ${name} was deleted since.`
    throw error
  }
}

function getKind(kinds: readonly RecordKind[], name: string): RecordKind {
  const kind = kinds.find(({ singular }) => singular === name)
  if (!kind) throw new Error(`There is no kind ${name}`)
  return kind
}
