// Imports the text that a request to the function import-crm-contacts contains, with the job of all imports.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Import } from '#contract/imports.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readSummary } from './imports.store.ts'
import { deleteImport, startImport } from './start.ts'
import { addImport } from './upload.ts'

const maxWaitMs = 60_000
const pollMs = 100

type Result = { imported: number; import_id: string; isRunning: boolean }

/** Imports contacts from a text and waits at most 60 s for its end. Throws `invalid` if the text cannot be read, and
 * `import_failed` if the job fails. An import that the user stops returns what it has imported. */
export async function importText(
  context: AppContext,
  caller: Caller,
  { fileContent, fileName }: { fileContent: string; fileName: string },
  signal: AbortSignal,
): Promise<Result> {
  const bytes = Buffer.from(fileContent)
  const content = (async function* () {
    yield bytes
  })()
  const id = await addImport(context, caller, { file_name: fileName, kind: 'contact', content, size: bytes.byteLength })
  const started = await startImport(context, caller, id, { mode: 'both' }).catch(async (error: unknown) => {
    await deleteImport(context, caller, id)
    throw error
  })
  const { status, problem, created, updated } = await waitForEnd(context, caller, started, signal)
  if (status === 'failed') throw new Refusal('import_failed', { detail: problem })
  return { imported: created + updated, import_id: id, isRunning: status === 'running' }
}

async function waitForEnd({ database }: AppContext, caller: Caller, started: Import, signal: AbortSignal): Promise<Import> {
  let current = started
  for (const end = performance.now() + maxWaitMs; current.status === 'running' && performance.now() < end;) {
    await sleep(pollMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return current // the client has disconnected; the job continues
    current = await database.read(caller, () => readSummary(caller.owner, started.id))
  }
  return current
}
