import * as z from 'zod/mini'
import { defineRoutes } from './route.ts'

/** The groups of files that the storage is divided into, with their file types. All other types are in the group `other`. */
export const fileGroups = {
  documents: 'pdf doc docx odt rtf txt md pages epub log xls xlsx xlsm ods csv tsv numbers ppt pptx pps ppsx odp key eml msg mbox'.split(
    ' ',
  ),
  pictures: 'jpg jpeg png gif webp avif heic heif bmp tif tiff svg ico psd'.split(' '),
  media: 'mp4 mov avi webm mkv m4v mpg mpeg wmv mp3 wav ogg oga flac m4a aac opus aiff wma'.split(' '),
} as const

const GroupName = z.enum(['documents', 'pictures', 'media', 'other'])
export type FileGroupName = z.infer<typeof GroupName>

/** The share of a quota, from 0 to 1, above which the screens show how much of the quota is used. */
export const minShownUse = 0.8

/** The space of an account. All sizes are in bytes. */
export const StorageUse = z.object({
  /** What counts against the quota: files, also those in the trash, and unfinished uploads. */
  used_bytes: z.int(),
  quota_bytes: z.int(),
  /** The number of files, without the trash. */
  file_count: z.int(),
  /** The size of the files in the trash, and of files erased from the trash until a daily cleaning frees their space. */
  trash_bytes: z.int(),
  /** The size of the unfinished uploads. */
  upload_bytes: z.int(),
  /** The size of the files by their type, without the trash. */
  groups: z.array(z.object({ name: GroupName, bytes: z.int() })),
  /**
   * The size of the records and their history, which have a quota of their own. Each write adds its size to this sum, and once a day the
   * sum is replaced by the size of what is stored.
   */
  record_bytes: z.int(),
  record_quota_bytes: z.int(),
})
export type StorageUse = z.infer<typeof StorageUse>

export const storageRoutes = defineRoutes({
  get: {
    method: 'GET',
    path: '/api/storage',
    summary: 'The space that the files use, by type, the space that the records and their history use, and the quotas',
    caller: 'user',
    changes: 'nothing',
    out: StorageUse,
    example: {},
  },
})
