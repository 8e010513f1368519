import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeChangeSet, setElementSize } from '#web/contacts/testing.ts'
import { samples } from '#web/files/testing.ts'
import { loadUndo, storeForUndo } from '#web/lib/undo.ts'
import { changeResponse } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { openFolder, place, toAddedFiles } from './testing.ts'
import { uploadFiles } from './uploadFiles.ts'

// parts of 4 bytes, so that short texts have several parts
vi.mock('#contract/uploads.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), partBytes: 4 }))

afterEach(stopAllUploads)

const undoRoute = 'POST /api/changes/{id}/undo'

/** Opens a folder after an older change of another screen. `getUndone` returns the ids of the changes that were undone since the last call. */
async function openAfterChange() {
  const server = await openFolder({
    'POST /api/folders/paths': () => changeResponse('new-folder', { rows: [{ path: 'Plans', id: samples.id }] }),
    [undoRoute]: ({ params }) => changeResponse(`undo-of-${params['id']}`, makeChangeSet({ count: 1 })),
  })
  storeForUndo('c-1', 'Form saved')
  let readCount = 0
  const getUndone = (): (string | undefined)[] => {
    const ids = server.requestsTo(undoRoute).map(({ params }) => params['id'])
    return ids.slice(readCount, (readCount = ids.length))
  }
  return { server, getUndone }
}
const pressCtrlZ = () => fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })

test('Ctrl+Z undoes all files and folders of a drop, newest first, Ctrl+Shift+Z redoes them, and so does the button of the toast', async () => {
  setElementSize()
  const { getUndone } = await openAfterChange()
  const files = [
    { file: new File(['tiny'], 'tiny.txt'), path: 'Plans/tiny.txt' },
    { file: new File(['of several parts'], 'long.txt'), path: 'Plans/long.txt' },
  ]
  await uploadFiles(place, { files, folders: [] })
  await screen.findByText('2 file(s) uploaded successfully.')
  pressCtrlZ()
  expect(await screen.findByText('Undone: 2 files uploaded')).toBeTruthy()
  expect(screen.queryByText('2 file(s) uploaded successfully.')).toBeNull()
  const undone = getUndone()
  expect(new Set(undone)).toEqual(new Set(['upload-of-long.txt', 'upload-of-tiny.txt', 'new-folder']))
  expect(undone.at(-1)).toBe('new-folder')
  fireEvent.keyDown(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
  expect(await screen.findByText('Redone: 2 files uploaded')).toBeTruthy()
  expect(getUndone()).toEqual(undone.toReversed().map((id) => `undo-of-${id}`))

  await uploadFiles(place, toAddedFiles(new File(['new'], 'new.txt')))
  await screen.findByText('1 file(s) uploaded successfully.')
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: 1 file uploaded')).toBeTruthy()
  expect(getUndone()).toEqual(['upload-of-new.txt'])
})

test('Ctrl+Z while a small file is sent waits for it and undoes it, and not an older change', async () => {
  const { server, getUndone } = await openAfterChange()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.state.onPart = () => promise
  await loadUndo()
  await uploadFiles(place, toAddedFiles(new File(['tiny'], 'tiny.txt')))
  await waitFor(() => expect(server.sentParts).toHaveLength(1))
  pressCtrlZ()
  resolve(undefined)
  expect(await screen.findByText('Undone: 1 file uploaded')).toBeTruthy()
  expect(getUndone()).toEqual(['upload-of-tiny.txt'])
})
