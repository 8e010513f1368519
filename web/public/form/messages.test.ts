import { beforeEach, afterEach, expect, test } from 'vitest'
import { findMessages, showMessages } from './messages.ts'

let form: HTMLFormElement
beforeEach(() => {
  document.body.innerHTML = `<form>
    <div data-field="when" data-label="When"><input name="f_when" type="date"><p class="message"></p></div>
    <div data-field="email" data-label="Email" data-missing="Email is required"><input name="f_email"><p class="message"></p></div>
    <p id="form-problem" class="problem"></p>
  </form>`
  form = document.querySelector('form') ?? document.createElement('form')
})
afterEach(() => document.body.replaceChildren())

const stubBadInput = (name: string): void => {
  const input = form.querySelector(`[name=${name}]`)
  if (input) Object.defineProperty(input, 'validity', { value: { badInput: true } })
}

test('an optional field with half a date is not taken for an empty one', () => {
  expect(findMessages(form)).toEqual({ email: 'Email is required' })
  stubBadInput('f_when')
  expect(findMessages(form)).toEqual({ when: 'When is not complete or cannot be read', email: 'Email is required' })
})

test('a text that the server would refuse gets its message together with the missing answers', () => {
  form.insertAdjacentHTML(
    'afterbegin',
    `<div data-field="phone" data-label="Phone"><input name="f_phone" type="tel" value="abc"></div>
    <div data-field="copy" data-label="Copy to"><input name="f_copy" type="email" value="ann@b"></div>
    <div data-field="seats" data-label="Seats"><input name="f_seats" type="number" value=".5"></div>
    <div data-field="note" data-label="Note"><input name="f_note" type="text" value="${'x'.repeat(1001)}"></div>
    <div data-field="size" data-label="Size"><input name="f_size" type="radio" value="S"><input name="f_size" type="radio" value="L" checked></div>`,
  )
  expect(findMessages(form)).toEqual({
    phone: 'Phone must be a phone number like +44 20 7946 0118',
    copy: 'Copy to must be an email like name@example.com',
    seats: 'Seats must be a number like 12.5',
    note: 'Note must have at most 1000 characters',
    email: 'Email is required',
  })
})

test('a message about something else than a field is not shown at a field', () => {
  expect(showMessages(form, { files: 'At most 10 files' })).toBe(false)
  expect(showMessages(form, { email: 'Email is required' })).toBe(true)
  expect(form.querySelector('#form-problem')?.textContent).toBe('Some of this needs another look.')
  expect(document.activeElement?.getAttribute('name')).toBe('f_email')
})
