import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Loads the module anew, as a new page does, with a document that contains a response. */
function openDocument() {
  document.body.innerHTML = '<script type="application/json" id="first-responses">{"/api/contacts?limit=100":{"rows":[1]}}</script>'
  vi.resetModules()
  return import('./firstResponses.ts')
}

// `performance.now` returns the age of the page in ms
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(5000))
afterEach(() => {
  document.body.innerHTML = ''
})

test('a response in the document is the response to one request to its address', async () => {
  const { takeFirstResponse } = await openDocument()
  expect(takeFirstResponse('/api/contacts?limit=200')).toBeUndefined()
  expect(await takeFirstResponse('/api/contacts?limit=100')?.json()).toEqual({ rows: [1] })
  expect(takeFirstResponse('/api/contacts?limit=100')).toBeUndefined()
})

test('a response in the document is not used when the page is older than half a minute', async () => {
  const { takeFirstResponse } = await openDocument()
  vi.spyOn(performance, 'now').mockReturnValue(30_001)
  expect(takeFirstResponse('/api/contacts?limit=100')).toBeUndefined()
})

test('a response in the document is not used after the responses were dropped', async () => {
  const { takeFirstResponse, dropFirstResponses } = await openDocument()
  dropFirstResponses()
  expect(takeFirstResponse('/api/contacts?limit=100')).toBeUndefined()
})
