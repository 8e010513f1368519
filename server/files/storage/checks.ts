// Checks that rows and stored bytes agree, for `npm run doctor`.
import { createHash } from 'node:crypto'
import {
  countOf,
  error,
  formatBytes,
  listSome,
  ok,
  warning,
  type Check,
  type CheckContext,
  type Finding,
} from '#server/platform/doctor/check.ts'
import { StorageError, type ListedObject } from '#server/platform/storage/storage.ts'
import * as store from './checks.store.ts'
import { graceMs } from './cleaning.store.ts'

const dayMs = 24 * 60 * 60 * 1000
/** A schedule deletes expired uploads once a day, so an expired row is normal for a while. */
const expiryGraceMs = 2 * dayMs
/**
 * Up to this number of differences are checked again one by one, because a change during the check can cause a few of them. More cannot all
 * have this cause.
 */
const maxConfirmed = 1000
const rowsPerBatch = 1000

/** Returns the checks of files. The first one lists the storage for the others. */
export const listFileChecks = (context: CheckContext): readonly Check[] => [
  { name: 'Stored files', run: () => checkObjects(context) },
  { name: 'Unneeded bytes', run: () => checkOrphans(context) },
  { name: 'Uploads', run: () => checkUploads(context) },
  { name: 'Trash', run: () => checkTrash(context) },
  { name: 'Storage used', run: () => checkQuota(context) },
  ...(context.comparesHashes ? [{ name: 'Content of files', run: () => checkHashes(context) }] : []),
]

/** Checks that each file has its object, and that each object has bytes of its size. */
async function checkObjects(context: CheckContext): Promise<Finding[]> {
  const { tableOwner } = context
  await listStorage(context)
  const findings: Finding[] = []
  const missing = await confirm(await store.findObjectsWithoutBytes(tableOwner), async (key) => !(await findObject(context, key)))
  if (missing.length > 0)
    findings.push(
      error(
        `${countOf(missing.length, 'stored object has', 'stored objects have')} no bytes: ${listSome(missing)}. Restore the bytes from a backup.`,
      ),
    )
  const wrongSizes = await store.findObjectsOfWrongSize(tableOwner)
  if (wrongSizes.length > 0)
    findings.push(
      error(
        `${countOf(wrongSizes.length, 'stored object has', 'stored objects have')} the wrong size: ${listSome(wrongSizes)}. Restore the bytes from a backup.`,
      ),
    )
  const files = await store.findFilesThatDifferFromObject(tableOwner)
  if (files.length > 0)
    findings.push(
      error(
        `${countOf(files.length, 'file does not agree with its stored object', 'files do not agree with their stored object')}: ${listSome(files)}. Restore a backup.`,
      ),
    )
  return findings.length > 0
    ? findings
    : [ok(`${countOf(await store.countObjects(tableOwner), 'stored object has its', 'stored objects have their')} bytes.`)]
}

/** Copies the list of the storage into a temporary table; on an error there is no table. */
async function listStorage({ tableOwner, storage }: CheckContext): Promise<void> {
  await store.createListing(tableOwner)
  try {
    let batch: ListedObject[] = []
    for await (const object of storage.list('')) {
      batch.push(object)
      if (batch.length < rowsPerBatch) continue
      await store.addToListing(tableOwner, batch)
      batch = []
    }
    await store.addToListing(tableOwner, batch)
  } catch (thrown) {
    await store.dropListing(tableOwner)
    throw thrown
  }
}

/**
 * Checks a finding again for each name, because rows and bytes may have changed meanwhile. Returns the names for which it is still true.
 */
async function confirm(names: string[], isTrue: (name: string) => Promise<boolean>): Promise<string[]> {
  if (names.length > maxConfirmed) return names
  const confirmed: string[] = []
  for (const name of names) if (await isTrue(name)) confirmed.push(name)
  return confirmed
}

async function findObject({ storage }: CheckContext, key: string): Promise<ListedObject | undefined> {
  for await (const object of storage.list(key)) if (object.key === key && object.uploadId === undefined) return object
  return undefined
}

/** Checks for orphans: bytes to which no row and no waiting job refers. Repairs by deleting them. */
async function checkOrphans(context: CheckContext): Promise<Finding[]> {
  const { tableOwner, storage, now, repairs } = context
  if (!(await store.hasListing(tableOwner))) return [error('The storage could not be listed, as the check of stored files says.')]
  const before = new Date(now.getTime() - graceMs)
  const orphans = await store.findBytesWithoutRow(tableOwner, before)
  if (orphans.length === 0) return [ok('All stored bytes have their rows.')]
  const names = listSome(orphans.map(({ key }) => key))
  const mayBelongToOthers = orphans.length > (await store.countObjects(tableOwner))
  if (repairs && mayBelongToOthers)
    return [
      error(
        `${countOf(orphans.length, 'object has', 'objects have')} no row, more than have one: ${names}. Nothing was deleted, because they may belong to another installation or to rows that are lost. Check DATABASE_URL, FOYER_DATA and the bucket.`,
      ),
    ]
  if (!repairs)
    return [
      warning(`${countOf(orphans.length, 'object has', 'objects have')} no row: ${names}. Delete them with npm run doctor -- --repair.`),
    ]
  for (const { key, upload_id: id } of orphans) await (id === null ? storage.delete(key) : storage.cancelUpload({ key, id }))
  return [warning(`Repaired: ${countOf(orphans.length, 'object without a row was', 'objects without a row were')} deleted: ${names}.`)]
}

async function checkUploads({ tableOwner, now }: CheckContext): Promise<Finding[]> {
  const { open, expired } = await store.countUploads(tableOwner, new Date(now.getTime() - expiryGraceMs))
  if (expired > 0)
    return [warning(`${countOf(expired, 'upload expired and is', 'uploads expired and are')} still here. Let Foyer run for a day.`)]
  return [ok(`${countOf(open, 'unfinished upload')}.`)]
}

/** Checks that each deleted file that can be restored still has its object. The first check finds objects without bytes. */
async function checkTrash({ tableOwner }: CheckContext): Promise<Finding[]> {
  const { deleted, lost } = await store.countDeletedFiles(tableOwner)
  if (lost > 0) return [error(`${countOf(lost, 'deleted file')} cannot be restored, because the bytes are gone. Restore a backup.`)]
  return [ok(`${countOf(deleted, 'deleted file')} can be restored.`)]
}

/** Checks the stored sums of bytes and which accounts are above the quota. Repairs wrong sums by computing them again. */
async function checkQuota({ tableOwner, quotaBytes, repairs }: CheckContext): Promise<Finding[]> {
  const wrongCount = await store.countWrongUse(tableOwner)
  if (wrongCount > 0 && !repairs)
    return [
      warning(
        `${countOf(wrongCount, 'account has a wrong sum', 'accounts have wrong sums')} of stored bytes. Correct it with npm run doctor -- --repair.`,
      ),
    ]
  if (wrongCount > 0) {
    await store.repairUse(tableOwner)
    return [warning(`Repaired: ${countOf(wrongCount, 'sum of stored bytes was', 'sums of stored bytes were')} computed again.`)]
  }
  const { owners, bytes, largest, over } = await store.readUsage(tableOwner, quotaBytes)
  const quota = formatBytes(quotaBytes)
  if (over > 0)
    return [warning(`${countOf(over, 'account uses', 'accounts use')} more than ${quota}, and cannot upload. Raise FOYER_QUOTA_GB.`)]
  return [ok(`${countOf(owners, 'account uses', 'accounts use')} ${formatBytes(bytes)}; the largest ${formatBytes(largest)} of ${quota}.`)]
}

/** Compares the bytes of each object with its SHA-256. */
async function checkHashes({ tableOwner, storage, now }: CheckContext): Promise<Finding[]> {
  const different: string[] = []
  const failures: string[] = []
  let compared = 0
  for await (const { storage_path: key, file_size: size, sha256 } of store.readHashes(tableOwner)) {
    compared++
    try {
      const hash = createHash('sha256')
      for await (const chunk of storage.read(key, { start: 0, end: Number(size) - 1 })) hash.update(chunk)
      if (!hash.digest().equals(sha256)) different.push(key)
    } catch (thrown) {
      const isReportedByFirstCheck = thrown instanceof StorageError && ['missing', 'wrong_size'].includes(thrown.reason)
      if (!isReportedByFirstCheck) failures.push(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  const findings: Finding[] = []
  if (different.length > 0)
    findings.push(
      error(
        `${countOf(different.length, 'object has', 'objects have')} other bytes than at the upload: ${listSome(different)}. Restore a backup.`,
      ),
    )
  if (failures.length > 0)
    findings.push(
      error(
        `${countOf(failures.length, 'object')} could not be read: ${listSome(failures, 1)}. Check the disk or the store, and run this again.`,
      ),
    )
  const unhashed = await store.countUnhashed(tableOwner, new Date(now.getTime() - graceMs))
  if (unhashed > 0)
    findings.push(warning(`${countOf(unhashed, 'object has', 'objects have')} no SHA-256 after a day. Look at the failed jobs.`))
  return findings.length > 0 ? findings : [ok(`${countOf(compared, 'object has', 'objects have')} the bytes of their upload.`)]
}
