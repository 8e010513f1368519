import { afterEach, expect, test } from 'vitest'
import { createMatcher } from './matchFiles.ts'
import { addToList, clearList, type UploadItem } from './uploadList.ts'

afterEach(clearList)

const root = { folder_id: null, contact_id: null }
const file = new File(['four'], 'wall.jpg', { lastModified: 1_800_000_000_000 })
/** An upload of `file` that began in an earlier visit. The id of the upload is its path. */
const makeUpload = (path: string, status: 'unfinished' | 'done' = 'unfinished'): UploadItem => ({
  id: path,
  dropId: 'drop',
  root,
  place: root,
  path,
  name: file.name,
  size: file.size,
  lastModified: file.lastModified,
  ifExists: 'keep_both',
  status,
  sentBytes: 0,
  shownBytes: 0,
  hasStarted: true,
  origin: 'earlier visit',
})
const findMatch = (path: string): string | undefined => createMatcher()({ file, path })?.id

test.each([
  ['wall.jpg', 'Photos/wall.jpg'],
  ['Photos/wall.jpg', 'wall.jpg'],
])('when copies of a file at %s and %s are unfinished, each upload is continued with the file of the same path', (...paths) => {
  addToList(paths.map((path) => makeUpload(path)))
  expect(paths.map(findMatch)).toEqual(paths)
})

test('one file of a folder is found by its name, also when a copy of it beside the folder is uploaded already', () => {
  addToList([makeUpload('wall.jpg', 'done'), makeUpload('Photos/wall.jpg')])
  expect(findMatch('wall.jpg')).toBe('Photos/wall.jpg')
})
