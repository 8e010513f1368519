import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { changeResponse, mockServer, problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { surveyFile } from '#web/files/testing.ts'
import { assistantHandlers, operatorAi } from '../testing.ts'

beforeEach(() => setWindowWidth(1280))

const handlers = { ...assistantHandlers, 'GET /api/ai': operatorAi }
const picture = { imageUrl: 'data:image/png;base64,AAAA', file: surveyFile }

async function openDialog() {
  fireEvent.click(await screen.findByRole('button', { name: 'Generate image' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Generate image' }))
  return { dialog, field: dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' }) }
}

test('Enter makes a picture; the dialog says that it is busy, closes, and a toast leads to the file', async () => {
  const response = Promise.withResolvers<Response>()
  const server = mockServer({ ...handlers, 'POST /functions/v1/ai-image-gen': () => response.promise })
  const { router } = await renderApp('/assistant')
  const { dialog, field } = await openDialog()
  expect(field.placeholder).toBe('Describe the image you want to create...')
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(server.requestsTo('POST /functions/v1/ai-image-gen')).toHaveLength(0) // the description is blank
  fireEvent.change(field, { target: { value: 'A library with oak shelves' } })
  fireEvent.keyDown(field, { key: 'Enter', shiftKey: true })
  expect(server.requestsTo('POST /functions/v1/ai-image-gen')).toHaveLength(0)
  fireEvent.keyDown(field, { key: 'Enter' })
  expect((await dialog.findByRole<HTMLButtonElement>('button', { name: 'Generating...' })).disabled).toBe(true)
  response.resolve(changeResponse('c-1', picture))
  expect(await screen.findByText('Image generated!')).toBeTruthy()
  expect(screen.getByText('Your AI-generated image has been saved to your files.')).toBeTruthy()
  expect(server.requestsTo('POST /functions/v1/ai-image-gen')[0]?.body).toEqual({ prompt: 'A library with oak shelves' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/files/file/${surveyFile.id}`))
})

test('a picture that is ready after its dialog was closed does not change the next description', async () => {
  const response = Promise.withResolvers<Response>()
  const server = mockServer({ ...handlers, 'POST /functions/v1/ai-image-gen': () => response.promise })
  await renderApp('/assistant')
  const first = await openDialog()
  fireEvent.change(first.field, { target: { value: 'Oak shelves' } })
  fireEvent.keyDown(first.field, { key: 'Enter' })
  await waitFor(() => expect(server.requestsTo('POST /functions/v1/ai-image-gen')).toHaveLength(1))
  fireEvent.click(first.dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const { field } = await openDialog()
  fireEvent.change(field, { target: { value: 'A walnut desk' } })
  response.resolve(changeResponse('c-1', picture))
  expect(await screen.findByText('Image generated!')).toBeTruthy()
  expect(field.isConnected).toBe(true)
  expect(field.value).toBe('A walnut desk')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await openDialog()).field.value).toBe('A walnut desk')
})

test('after a failure the dialog keeps the description, and a toast says why', async () => {
  const server = mockServer({ ...handlers, 'POST /functions/v1/ai-image-gen': () => problemResponse('ai_failed') })
  await renderApp('/assistant')
  const { dialog, field } = await openDialog()
  fireEvent.change(field, { target: { value: 'Oak shelves' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Generate' }))
  expect(await screen.findByText('Error generating image')).toBeTruthy()
  expect(field.value).toBe('Oak shelves')
  server.setHandlers({ 'POST /functions/v1/ai-image-gen': () => changeResponse('c-1', { ...picture, imageUrl: '' }) })
  fireEvent.click(dialog.getByRole('button', { name: 'Generate' }))
  expect(await screen.findByText('No image URL returned')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect((await openDialog()).field.value).toBe('Oak shelves')
})

test('without a model for pictures the dialog says so in one sentence', async () => {
  mockServer({ ...handlers, 'GET /api/ai': { ...operatorAi, image_model: '' } })
  await renderApp('/assistant?image=new')
  const dialog = within(await screen.findByRole('dialog', { name: 'Generate image' }))
  expect(await dialog.findByText(/No model that makes pictures is connected\./)).toBeTruthy()
  fireEvent.change(dialog.getByRole('textbox', { name: 'Description' }), { target: { value: 'Oak shelves' } })
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Generate' }).disabled).toBe(true)
})
