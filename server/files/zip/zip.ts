// Zips: a first request prepares the zip of a selection, and announces its size. The browser then downloads the zip by its address.
import type { Zip } from '#contract/fileSelection.ts'
import type { NamedFile } from '#contract/route.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { createLimiter } from '#server/platform/database/limiter.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { createWaitingCalls } from '#server/platform/database/waiting-calls.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { computeZipSize, createZip, type ZipEntry } from '#server/platform/zip/zip.ts'
import { findSelection } from '../selection.ts'
import { readWithStorageErrors } from '../storage/storage-errors.ts'
import { planZip, type ZipPlan, type ZipSelection } from './zip-plan.ts'
import { insertZip, readZip } from './zip.store.ts'

/** The time in which the download of a zip can begin. */
const zipMs = 5 * 60_000

/** The plan of a zip with many entries needs some megabytes, so each process makes one at a time for an owner. */
const planLimiter = createLimiter({
  maxRunning: 1,
  maxRunningOfAll: 4,
  maxWaiting: 8,
  waitingCalls: createWaitingCalls({ maxCalls: 100 }),
})

const runPlan = <T>({ owner, queueSignal: signal, queueBytes: bytes }: Caller, work: () => Promise<T>): Promise<T> =>
  planLimiter.run(owner, { signal, bytes }, work)

/**
 * Prepares a zip. Throws `not_found` for a missing file, folder or contact, `too_many`, `too_large`, and `too_many_requests`
 * when eight other requests of the owner wait.
 */
export async function prepareZip(context: AppContext, caller: Caller, selection: ZipSelection): Promise<Zip> {
  const { database, now } = context
  const { owner } = caller
  const { ids, digest, ...announced } = await runPlan(caller, () => announceZip(context, caller, selection))
  const id = newId()
  const expiresAt = new Date(now().getTime() + zipMs)
  await database.transaction(caller, 'Prepared a zip', () => insertZip(owner, id, { ...ids, digest }, { now: now(), expiresAt }))
  return { id, url: `/api/zips/${id}`, ...announced, expires_at: expiresAt.toISOString() }
}

/** Plans a zip and keeps only what is needed after that. */
async function announceZip(context: AppContext, caller: Caller, selection: ZipSelection) {
  const { database, now } = context
  const [ids, plan] = await database.read(caller, async () => {
    const resolved = await resolveSelection(caller.owner, selection, now())
    return [resolved, await planZip(caller.owner, resolved)]
  })
  const { name, digest, entries } = plan
  return { ids, digest, name, entry_count: entries.length, size: computeZipSize(toZipEntries(context, plan)) }
}

/** Replaces a selection of everything that matches a filter with the ids of the matches, so that the opened zip has the same files. */
async function resolveSelection(owner: string, { contact_id, ...selection }: ZipSelection, now: Date): Promise<ZipSelection> {
  if (!selection.matching) return { ...selection, contact_id }
  const { fileIds, folderIds } = await findSelection(owner, selection, now)
  return { file_ids: fileIds, folder_ids: folderIds, contact_id }
}

/**
 * Opens a zip that was prepared. No database connection is held while it is sent. Throws `link_expired` after its time, and when its files
 * have changed, so that nobody gets another zip than the one that was announced.
 */
export async function openZip(context: AppContext, caller: Caller, id: string): Promise<NamedFile> {
  const { database, now } = context
  const { owner } = caller
  const { digest, ...selection } = await database.read(caller, () => readZip(owner, id, now()))
  const planAgain = (): Promise<ZipPlan> =>
    planZip(owner, selection).catch((error: unknown) => {
      throw error instanceof Refusal ? new Refusal('link_expired', {}, error) : error
    })
  const plan = await runPlan(caller, () => database.read(caller, planAgain))
  if (plan.digest !== digest) throw new Refusal('link_expired')
  const entries = toZipEntries(context, plan)
  return { name: plan.name, size: computeZipSize(entries), chunks: createZip(entries) }
}

const toZipEntries = ({ storage }: AppContext, { entries }: ZipPlan): ZipEntry[] =>
  entries.map(({ folderPath, name, modifiedAt, file }) => ({
    get path() {
      return folderPath + name
    },
    modifiedAt,
    ...(file && {
      content: {
        size: file.file_size,
        read: () => readWithStorageErrors(storage.read(file.storage_path, { start: 0, end: file.file_size - 1 })),
      },
    }),
  }))
