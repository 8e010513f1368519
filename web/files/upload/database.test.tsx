import { waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { nora, setWindowWidth } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { findPanel, openFolder, place, toAddedFiles } from './testing.ts'
import { deleteSavedUploads, saveUploads, type SavedUpload } from './savedUploads.ts'
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

/** Creates a fake IndexedDB request or transaction that sends one event, when `isReady` resolves. */
const createSender = (event: string, fields: object = {}, isReady = Promise.resolve()) => ({
  ...fields,
  addEventListener: (name: string, listener: () => void) => {
    if (name === event) void isReady.then(listener)
  },
})

/** A fake database in which each read returns the stored values of an object store; writes change nothing. */
const createStoredDatabase = (stored: Record<string, object[]>) => ({
  close: () => {},
  transaction: (storeName: string) => {
    const getAll = () => ({ result: stored[storeName] })
    const write = () => ({ result: undefined })
    return createSender('complete', { objectStore: () => ({ getAll, put: write, delete: write, count: write }) })
  },
})

const makeSavedUpload = (name: string): SavedUpload => {
  const state = { ifExists: 'keep_both', hasStarted: false, isDone: false, failure: undefined } as const
  const file = { path: name, name, size: 4, lastModified: 0 }
  return { id: 'u-1', dropId: 'd-1', root: place, place, ...file, ...state, user: 'nora', savedAt: 0 }
}

/** Returns a fake `indexedDB.open` that opens this database. */
const openWith = (database: object) => () => createSender('success', { result: { close: () => {}, ...database } })
/** Returns a function that throws an error with this name. */
const throwing = (name: string) => () => {
  throw new DOMException('Refused by the test', name)
}

test.each<[string, () => unknown]>([
  ['cannot be used in private mode', throwing('SecurityError')],
  ['cannot be opened', () => createSender('error', { error: new DOMException('Refused by the test', 'UnknownError') })],
  ['was closed by the browser', openWith({ transaction: throwing('InvalidStateError') })],
  ['refuses the value', openWith({ transaction: () => createSender('', { objectStore: () => ({ put: throwing('DataCloneError') }) }) })],
  [
    'is full',
    openWith({
      transaction: () =>
        createSender('abort', {
          error: new DOMException('Refused by the test', 'QuotaExceededError'),
          objectStore: () => ({ put: () => ({}), count: () => ({}), getAll: () => ({}), delete: () => ({}) }),
        }),
    }),
  ],
])('when the database of the browser %s, files are uploaded without it', async (_state, open) => {
  vi.stubGlobal('indexedDB', { open })
  const server = await openFolder()
  await uploadFiles(place, { ...toAddedFiles(new File(['four'], 'wall.txt')), handles: [] })
  const panel = await findPanel()
  expect(await panel.findByText('1 file uploaded')).toBeTruthy()
  expect(server.files).toHaveLength(1)
  await waitFor(() => expect(localStorage.getItem('foyer-has-uploads')).toBeNull()) // the flag for saved uploads
})

test('when the database responds late, uploads start without it, and unfinished uploads of an earlier visit are shown later', async () => {
  localStorage.setItem('foyer-has-uploads', '1') // an upload of an earlier visit, so the database is read first
  const stored = { uploads: [{ ...makeSavedUpload('hall.txt'), user: nora.user.id, savedAt: Date.now() }], handles: [] }
  const { promise: isReady, resolve: makeReady } = Promise.withResolvers<void>()
  vi.stubGlobal('indexedDB', { open: () => createSender('success', { result: createStoredDatabase(stored) }, isReady) })
  const server = await openFolder()
  // waits 3 s for the list of unfinished uploads, and then 1 s for the save of the new upload
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  await waitFor(() => expect(server.files).toHaveLength(1))
  makeReady()
  expect(await (await findPanel()).findByText('1 upload not finished')).toBeTruthy()
})

test('an upload is saved in the database before the server is asked whether its name is taken', async () => {
  const { promise: isReady, resolve: makeReady } = Promise.withResolvers<void>()
  vi.stubGlobal('indexedDB', { open: () => createSender('success', { result: createStoredDatabase({}) }, isReady) })
  const server = await openFolder()
  const uploading = uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  await waitFor(() => expect(localStorage.getItem('foyer-has-uploads')).toBe('1'))
  expect(server.requestsTo('POST /api/files/taken-names')).toHaveLength(0)
  makeReady()
  await uploading
  await waitFor(() => expect(server.files).toHaveLength(1))
})

test('when the database has not responded, the flag for saved uploads stays set, because the write may still happen', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.stubGlobal('indexedDB', { open: () => createSender('never') })
  const upload = makeSavedUpload('wall.txt')
  for (const write of [() => saveUploads([upload]), () => deleteSavedUploads([upload.id])]) {
    const writing = write()
    await vi.advanceTimersByTimeAsync(3000) // after this time the write counts as timed out
    await writing
    expect(localStorage.getItem('foyer-has-uploads')).toBe('1')
  }
})
