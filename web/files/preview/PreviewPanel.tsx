import type { File } from '#contract/files.ts'
import { FileDetails } from './FileDetails.tsx'
import type { Jump } from './viewProps.ts'
import classes from './Preview.module.css'

type PreviewPanelProps = {
  file: File
  search: string
  onSearch: (text: string) => void
  jump: Jump | undefined
  onJump: (page: number | null, match: number) => void
}

/** The panel beside the content of a file. In narrow windows it is below the content, and closed at first. */
export function PreviewPanel({ file }: PreviewPanelProps) {
  return (
    <aside className={classes['panel']} aria-label="In this file">
      <FileDetails file={file} />
    </aside>
  )
}
