import { readInput, type AddedFiles } from './readFiles.ts'
import { showUploadError } from './uploadError.ts'

/**
 * Opens the browser's dialog for files, or for a folder. The input element belongs to no component, because the component that opened the
 * dialog may be unmounted before the user has chosen files. For example, the message in an empty folder disappears when an upload ends.
 */
export function chooseFiles(onChoose: (added: AddedFiles) => Promise<unknown>, { isFolder = false } = {}): void {
  const label = isFolder ? 'Folder to upload' : 'Files to upload'
  document.querySelector(`input[aria-label="${label}"]`)?.remove() // left by a cancelled dialog, because some browsers send no cancel event
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', hidden: true, multiple: true, webkitdirectory: isFolder })
  input.setAttribute('aria-label', label)
  input.addEventListener('cancel', () => input.remove())
  input.addEventListener('change', () => {
    onChoose(readInput(input.files ?? [])).catch(showUploadError)
    input.remove()
  })
  document.body.append(input)
  input.click()
}
