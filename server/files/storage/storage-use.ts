import { fileGroups, type FileGroupName, type StorageUse } from '#contract/storage.ts'
import { sql } from '#server/platform/database/database.ts'
import { readRecordSpace } from '#server/platform/journal/record-space.ts'

type Quotas = { quotaBytes: number; recordQuotaBytes: number }

/**
 * Reads how much space an owner uses. Counts the files like the database function `app.add_upload`, which refuses uploads above the quota.
 */
export async function readStorageUse(owner: string, { quotaBytes, recordQuotaBytes }: Quotas): Promise<StorageUse> {
  const [types, [totals], recordBytes] = await Promise.all([
    sql<{ file_type: string; count: number; bytes: number }>(
      'select file_type, count(*)::int as count, sum(file_size)::bigint as bytes from files where user_id = $1 group by file_type',
      [owner],
    ),
    sql<{ stored: number; uploads: number }>(
      `select coalesce((select stored_bytes from storage_use where user_id = $1), 0) as stored,
         (select coalesce(sum(file_size), 0)::bigint from uploads where user_id = $1 and file_id is null) as uploads`,
      [owner],
    ),
    readRecordSpace(owner),
  ])
  const { stored = 0, uploads = 0 } = totals ?? {}
  const bytesOf = (name: FileGroupName): number =>
    sum(types.filter(({ file_type }) => findGroup(file_type) === name).map(({ bytes }) => bytes))
  return {
    used_bytes: stored + uploads,
    quota_bytes: quotaBytes,
    file_count: sum(types.map(({ count }) => count)),
    trash_bytes: Math.max(0, stored - sum(types.map(({ bytes }) => bytes))),
    upload_bytes: uploads,
    groups: groupNames.map((name) => ({ name, bytes: bytesOf(name) })),
    record_bytes: recordBytes,
    record_quota_bytes: recordQuotaBytes,
  }
}

const groupNames = ['documents', 'pictures', 'media', 'other'] as const

function findGroup(fileType: string): FileGroupName {
  if (fileGroups.documents.includes(fileType)) return 'documents'
  if (fileGroups.pictures.includes(fileType)) return 'pictures'
  return fileGroups.media.includes(fileType) ? 'media' : 'other'
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
