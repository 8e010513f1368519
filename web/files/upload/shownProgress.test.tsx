import { fireEvent, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { setWindowWidth } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { findPanel, openFolder, place, toAddedFiles, waitUntilAborted } from './testing.ts'
import { uploadFiles } from './uploadFiles.ts'

// parts of 4 bytes, so that short texts have several parts
vi.mock('#contract/uploads.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), partBytes: 4 }))

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => {
  stopAllUploads()
})

/** Returns an array to which each new value of a progress bar is added. */
function recordProgress(bar: HTMLElement): number[] {
  const values = [Number(bar.getAttribute('value'))]
  const observer = new MutationObserver(() => values.push(Number(bar.getAttribute('value'))))
  observer.observe(bar, { attributes: true, attributeFilter: ['value'] })
  return values
}

test('the progress does not go back while the part of a paused upload is sent again', async () => {
  const server = await openFolder()
  server.state.onPart = (part) => {
    if (part.number === 0) return undefined
    part.progress(3) // three of the four bytes of the second part, so 7 of 8 bytes of the file
    return waitUntilAborted(part)
  }
  await uploadFiles(place, toAddedFiles(new File(['zeroone-'], 'wall.txt')))
  const panel = await findPanel()
  expect(await panel.findByText('87%')).toBeTruthy()
  const values = recordProgress(panel.getByRole('progressbar', { name: 'wall.txt' }))
  fireEvent.click(panel.getByRole('button', { name: 'Pause wall.txt' }))
  expect(await panel.findByText('Paused')).toBeTruthy()
  expect(panel.getByText('7 of 8 B')).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Continue wall.txt' }))
  await waitFor(() => expect(server.sentParts).toHaveLength(3))
  expect(await panel.findByText('87%')).toBeTruthy()
  expect(values).toEqual(values.toSorted((one, other) => one - other)) // no value is smaller than the one before
})

test('when the server has lost the upload, the progress begins at 0 % again', async () => {
  const server = await openFolder()
  server.state.onPart = (part) => (part.number === 0 ? undefined : waitUntilAborted(part))
  await uploadFiles(place, toAddedFiles(new File(['zeroone-'], 'wall.txt')))
  const panel = await findPanel()
  expect(await panel.findByText('50%')).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Pause wall.txt' }))
  expect(await panel.findByText('Paused')).toBeTruthy()
  server.uploads.clear()
  server.state.onPart = waitUntilAborted
  fireEvent.click(panel.getByRole('button', { name: 'Continue wall.txt' }))
  expect(await panel.findByText('0%')).toBeTruthy()
})
