import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'

/** Shown when there are no files and folders at all. */
export const NoFiles = ({ actions }: { actions: ReactNode }) => (
  <EmptyState title="Your files, in one place" actions={actions}>
    Contracts, photos, drawings: drop them on this page, or choose them from this computer. You can sort them into folders.
  </EmptyState>
)

export const EmptyFolder = () => (
  <EmptyState hideIllustration title="This folder is empty">
    Drop files here, or move files and folders into it.
  </EmptyState>
)

export const NoRecentFiles = () => (
  <EmptyState hideIllustration title="No recent files">
    The files that you add appear here, the newest first.
  </EmptyState>
)

type NoFileFoundProps = {
  search: string
  /** The search was limited to the folder. */
  isInFolder: boolean
  onClear: () => void
  onSearchAll: () => void
}

/** Shown when no file and no folder matches the search text. */
export const NoFileFound = ({ search, isInFolder, onClear, onSearchAll }: NoFileFoundProps) => (
  <EmptyState
    hideIllustration
    title="Nothing found"
    actions={
      <>
        {isInFolder && (
          <Button variant="default" onClick={onSearchAll}>
            Search all files
          </Button>
        )}
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      </>
    }
  >
    No file or folder {isInFolder && 'in this folder and below '}has “{search}” in its name or in its text.
  </EmptyState>
)
