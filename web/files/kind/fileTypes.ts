import {
  IconFile,
  IconFileCode,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMail,
  IconMusic,
  IconPhoto,
  IconPresentation,
  IconVideo,
} from '@tabler/icons-react'
import type { Icon } from '#web/lib/features.ts'

/** The extensions that have an icon of their own, by icon. */
const extensionsByIcon: [icon: Icon, extensions: string][] = [
  [IconFileTypePdf, 'pdf'],
  [IconPhoto, 'jpg jpeg png gif webp avif heic heif bmp tif tiff svg ico psd'],
  [IconFileSpreadsheet, 'xls xlsx xlsm ods csv tsv numbers'],
  [IconFileText, 'doc docx odt rtf txt md pages epub log'],
  [IconPresentation, 'ppt pptx pps ppsx odp key'],
  [IconVideo, 'mp4 mov avi webm mkv m4v mpg mpeg wmv'],
  [IconMusic, 'mp3 wav ogg oga flac m4a aac opus aiff wma'],
  [IconFileZip, 'zip tar gz tgz bz2 xz 7z rar zst'],
  [IconMail, 'eml msg mbox'],
  [IconFileCode, 'html htm xhtml css js mjs ts tsx jsx json xml yml yaml toml ini sql sh py rb php java c h cpp cs go rs swift kt'],
]

const icons = new Map(
  extensionsByIcon.flatMap(([icon, extensions]) => extensions.split(' ').map((extension) => [extension, icon] as const)),
)

/** Returns the icon of a `file_type`: an extension in lower case, or "unknown". */
export const findFileIcon = (fileType: string): Icon => icons.get(fileType) ?? IconFile
