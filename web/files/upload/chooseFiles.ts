import { readInput, type AddedFiles } from './readFiles.ts'
import { showUploadError } from './uploadError.ts'

/**
 * Opens the browser's dialog for files, or for a folder. The input belongs to no component, because the one that opens the dialog may be
 * gone when the user has chosen, for example the hint of an empty folder in which an upload has finished meanwhile.
 */
export function chooseFiles(onChoose: (added: AddedFiles) => Promise<void>, { isFolder = false } = {}): void {
  const label = isFolder ? 'Folder to upload' : 'Files to upload'
  document.querySelector(`input[aria-label="${label}"]`)?.remove() // some browsers do not say that their dialog was cancelled
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
