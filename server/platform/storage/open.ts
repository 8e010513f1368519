import { openDiskStorage } from './disk.ts'
import type { S3Settings } from './s3-requests.ts'
import type { Storage } from './storage.ts'

/** Where the bytes of files are stored: in a folder of this machine, or in an S3-compatible store. */
export type StorageChoice = { folder: string } | { s3: Omit<S3Settings, 'secretAccessKey'> & { secretAccessKey: { reveal: () => string } } }

/** Opens the storage. Connects to nothing before the first use. Uploads leave `minFreeBytes` of the disk free. */
export async function openStorage(choice: StorageChoice, options?: { minFreeBytes: number }): Promise<Storage> {
  if ('folder' in choice) return openDiskStorage(choice.folder, options)
  const { openS3Storage } = await import('./s3.ts') // its TLS and signing code is loaded only where it is used
  return openS3Storage({ ...choice.s3, secretAccessKey: choice.s3.secretAccessKey.reveal() })
}
