import { fireEvent, screen, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { noAiHandlers } from '#web/ai/testing.ts'
import { mockServer, nora, problemResponse, renderApp } from '#web/testing.ts'

const type = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } })
const sendFromOtherTab = (message: object): void => {
  const otherTab = new BroadcastChannel('foyer-session')
  onTestFinished(() => otherTab.close())
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within the origin
  otherTab.postMessage(message)
}

const routes = {
  'GET /api/session': nora,
  ...noAiHandlers,
  'GET /api/sessions': { rows: [] },
  'GET /api/instance': { sign_up_open: true, sends_mail: true },
}

test('changing the email address needs the password, and a wrong password shows an error at its field', async () => {
  const fields = { password: 'That is not your current password.' }
  const server = mockServer({ ...routes, 'POST /api/account/email': () => problemResponse('wrong_password', { fields }) })
  await renderApp('/account')
  const form = within(await screen.findByRole('region', { name: 'Email' }))
  expect(form.getByText('nora@larkfield.example')).toBeTruthy()
  type(form.getByLabelText('New email'), 'nora@new.example')
  type(form.getByLabelText('Current password'), 'wrong horse')
  fireEvent.click(form.getByRole('button', { name: 'Change email' }))
  expect(await form.findByText(fields.password)).toBeTruthy()
  server.setHandlers({ 'POST /api/account/email': { ...nora.user, email: 'nora@new.example' } })
  type(form.getByLabelText('Current password'), 'correct horse')
  fireEvent.click(form.getByRole('button', { name: 'Change email' }))
  expect(await screen.findByText('Email changed')).toBeTruthy()
  expect(form.getByText('nora@new.example')).toBeTruthy()
  expect(form.getByLabelText<HTMLInputElement>('Current password').value).toBe('')
})

test.each(['this tab', 'another tab'])('after the email address was changed in %s, signing in again uses the new one', async (place) => {
  mockServer({
    ...routes,
    'POST /api/account/email': { ...nora.user, email: 'nora@new.example' },
    'PATCH /api/profile': () => problemResponse('not_signed_in'),
    'POST /api/session': { ...nora, token: '' },
  })
  await renderApp('/account')
  const form = within(await screen.findByRole('region', { name: 'Email' }))
  if (place === 'this tab') {
    type(form.getByLabelText('New email'), 'nora@new.example')
    type(form.getByLabelText('Current password'), 'correct horse')
    fireEvent.click(form.getByRole('button', { name: 'Change email' }))
  } else sendFromOtherTab({ newEmail: 'nora@new.example' })
  expect(await form.findByText('nora@new.example')).toBeTruthy()
  type(screen.getByLabelText('Full name'), 'Nora Larkfield')
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Please sign in again' }))
  expect(dialog.getByLabelText<HTMLInputElement>('Email').value).toBe('nora@new.example')
  fireEvent.click(dialog.getByRole('button', { name: 'Leave without saving' })) // so that the save ends
  await screen.findByRole('heading', { name: 'Welcome Back' })
})
