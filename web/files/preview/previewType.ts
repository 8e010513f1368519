/** How a file is shown. `none`: only its name and its size are shown. */
export type PreviewType = 'image' | 'pdf' | 'text' | 'audio' | 'video' | 'none'

/**
 * The extensions of each type. An image is shown only if the server sends its bytes with the content type of an image, which
 * `server/files/content/inline-type.ts` decides.
 */
const extensions: readonly (readonly [PreviewType, string])[] = [
  ['image', 'png jpg jpeg gif webp avif'],
  ['pdf', 'pdf'],
  ['audio', 'mp3 wav ogg oga opus m4a aac flac weba'],
  ['video', 'mp4 m4v webm mov ogv'],
  [
    'text',
    'txt text md markdown csv tsv log json jsonl ndjson xml html htm xhtml svg eml ics vcf yaml yml toml ini conf cfg env properties',
  ],
  [
    'text',
    'css scss less js mjs cjs jsx ts mts cts tsx vue php py rb pl lua go rs java kt swift c h cc cpp hpp cs sh bash zsh ps1 bat cmd',
  ],
  ['text', 'sql graphql r m tex bib rst adoc diff patch srt vtt lock gitignore dockerfile'],
]

const typeOfExtension = new Map(extensions.flatMap(([type, list]) => list.split(' ').map((extension) => [extension, type] as const)))

/** Returns how a file with this extension is shown. HTML, SVG and mails are shown as plain text, so that nothing in them can run. */
export const findPreviewType = (fileType: string): PreviewType => typeOfExtension.get(fileType) ?? 'none'
