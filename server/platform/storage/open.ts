import { openDiskStorage } from './disk.ts'
import { openS3Storage, type S3Settings } from './s3.ts'
import type { Storage } from './storage.ts'

/** Where the bytes of files are stored: in a folder of this machine, or in an S3-compatible store. */
export type StorageChoice = { folder: string } | { s3: Omit<S3Settings, 'secretAccessKey'> & { secretAccessKey: { reveal: () => string } } }

/** Opens the storage. Connects to nothing before the first use. */
export const openStorage = (choice: StorageChoice): Storage =>
  'folder' in choice ? openDiskStorage(choice.folder) : openS3Storage({ ...choice.s3, secretAccessKey: choice.s3.secretAccessKey.reveal() })
