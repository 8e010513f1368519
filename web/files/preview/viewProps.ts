import type { File } from '#contract/files.ts'

/** A place in a file to scroll to. */
export type Jump = {
  /** Differs from the serial number of every earlier jump. */
  serialNumber: number
  /** Counts from 1; null in a file without pages. */
  page: number | null
  /** The match to show, counted from 0 on its page. */
  match: number
  /** The same match, counted from 0 in the whole file. */
  matchInFile: number
}

export type FileViewProps = {
  file: File
  /** The words to mark; empty for none. */
  search: string
  jump: Jump | undefined
}
