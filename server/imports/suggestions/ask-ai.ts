// Asks the AI for the fields of the unsure columns. The AI gets their names and the shapes of some values, never a value.
import * as z from 'zod/mini'
import { importFields, leftOutField } from '#contract/importFields.ts'
import { canAskAi, maxColumnsForAi, type ImportDetails } from '#contract/imports.ts'
import { withAi } from '#server/ai/ai.ts'
import { untrustedTextRule, markUntrustedText } from '#server/platform/ai/untrusted-text.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toDetails } from '../details.ts'
import * as store from '../imports.store.ts'
import type { StoredImport } from '../imports.store.ts'
import { shorten, toMapperColumns } from '../inspect.ts'
import { repeatableFields } from '../mapping/map-columns.ts'
import { applySuggestions } from './apply-suggestions.ts'
import { maskValue } from './mask.ts'

const Answer = z.object({ columns: z.array(z.object({ column: z.int(), field: z.nullable(z.string()) })) })

const maxHeaderLength = 100
const maxValues = 5

/** A column as the AI sees it. `column` is its number in the file, from 1. */
type AskedColumn = { column: number; name: string; values: string[] }

/**
 * Asks the AI about the columns that are unsure, and gives them the fields that it suggests. Asks nothing if no column is unsure. Throws
 * `import_started`, `ai_off`, `ai_limit`, `ai_failed`, and `conflict` if the file was read in another way meanwhile.
 */
export async function askAiAboutColumns(context: AppContext, caller: Caller, id: string, signal: AbortSignal): Promise<ImportDetails> {
  const { database } = context
  const asked = await database.read(caller, () => store.readImport(caller.owner, id))
  if (asked.status !== 'uploaded') throw new Refusal('import_started')
  const columns = findUnsureColumns(asked)
  if (columns.length === 0) return toDetails(asked)
  const suggested = await readSuggestions(context, caller, asked, columns, signal)
  await database.transaction(caller, 'Changed an import', async () => {
    await store.lockImport(caller.owner, id) // the user may have corrected the columns while the AI was asked
    const { options, found, mapping } = await store.readImport(caller.owner, id)
    if (JSON.stringify(found.columns) !== JSON.stringify(asked.found.columns))
      throw new Refusal('conflict', { detail: 'The file was read in another way while the AI was asked. Ask again.' })
    const newMapping = applySuggestions(toMapperColumns(found), mapping, suggested)
    await store.updateTable(caller.owner, id, { options, found, mapping: newMapping })
  })
  return toDetails(await database.read(caller, () => store.readImport(caller.owner, id)))
}

const findUnsureColumns = ({ found, mapping }: StoredImport): AskedColumn[] =>
  found.columns
    .flatMap(({ header, samples }, index) => {
      const current = mapping[index]
      if (!current || !canAskAi(current)) return []
      const values = [...new Set(samples.slice(0, maxValues).map(maskValue))]
      return { column: index + 1, name: shorten(header, maxHeaderLength), values }
    })
    .slice(0, maxColumnsForAi)

/**
 * Returns the fields that the AI suggests, by the index of the column. Ignores unknown fields, and columns about which it was not asked.
 */
function readSuggestions(
  context: AppContext,
  caller: Caller,
  { kind, mapping }: StoredImport,
  columns: readonly AskedColumn[],
  signal: AbortSignal,
): Promise<Map<number, string | null>> {
  const fields: readonly string[] = importFields[kind]
  const known = fields.filter((field) => field !== leftOutField) // only the user decides that values are not kept
  const numbers = new Set(columns.map(({ column }) => column))
  const isPossible = (field: string | null): boolean => field === null || known.includes(field)
  const taken = mapping.flatMap(({ field }, index) => (field !== null && !numbers.has(index + 1) ? field : []))
  return withAi(context, caller, async (connection, count) => {
    const { value } = await context.ai.extract(connection, {
      schema: Answer,
      instructions: makeInstructions(kind, known, taken),
      text: markUntrustedText('The columns', JSON.stringify(columns)),
      signal,
      onUse: count,
    })
    const usable = value.columns.filter(({ column, field }) => numbers.has(column) && isPossible(field))
    return new Map(usable.map(({ column, field }) => [column - 1, field]))
  })
}

function makeInstructions(kind: string, fields: readonly string[], taken: readonly string[]): string {
  const [repeatable, single] = [true, false].map((isRepeatable) => fields.filter((field) => repeatableFields.has(field) === isRepeatable))
  const takenSingle = taken.filter((field) => !repeatableFields.has(field))
  return `You match the columns of a file with the fields of a ${kind}, so that the file can be imported.
You get the columns as JSON: the number of each column, its name in any language, and the shapes of some of its values. In a shape each letter is "a" or "A" and each digit is "9".
Answer with the field of each column, or with null if no field fits. Leave out the columns about which you cannot tell.
Fields that one column can have: ${toList(single)}
Of these, other columns have already: ${toList(takenSingle)}
Fields that several columns can have: ${toList(repeatable)}
${untrustedTextRule}`
}

const toList = (fields: readonly string[] = []): string => (fields.length === 0 ? 'none' : fields.join(', '))
