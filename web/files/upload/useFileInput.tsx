import { useRef, type ReactNode } from 'react'
import { showUploadError } from './uploadError.ts'
import { readInput, type AddedFiles } from './readFiles.ts'

/** Returns a hidden input, which must be rendered, and a function that opens the browser's dialog for files or for a folder. */
export function useFileInput(
  onChoose: (added: AddedFiles) => Promise<void>,
  { isFolder = false } = {},
): [input: ReactNode, open: () => void] {
  const input = useRef<HTMLInputElement>(null)
  const choose = (chosen: FileList | null): void => {
    onChoose(readInput(chosen ?? [])).catch(showUploadError)
  }
  const element = (
    <input
      ref={(node) => {
        input.current = node
        if (node) node.webkitdirectory = isFolder
      }}
      type="file"
      hidden
      multiple
      aria-label={isFolder ? 'Folder to upload' : 'Files to upload'}
      onChange={({ currentTarget }) => {
        choose(currentTarget.files)
        currentTarget.value = '' // so that choosing the same file again is a change
      }}
    />
  )
  return [element, () => input.current?.click()]
}
