import { beforeEach, afterEach, expect, test } from 'vitest'
import { findMessages, showMessages } from './messages.ts'

let form: HTMLFormElement
beforeEach(() => {
  document.body.innerHTML = `<form>
    <div data-field="when" data-label="When"><input name="f_when" type="date"><p class="message"></p></div>
    <div data-field="email" data-label="Email"><span class="required"></span><input name="f_email"><p class="message"></p></div>
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

test('a message about something else than a field is not shown at a field', () => {
  expect(showMessages(form, { files: 'At most 10 files' })).toBe(false)
  expect(showMessages(form, { email: 'Email is required' })).toBe(true)
  expect(form.querySelector('#form-problem')?.textContent).toBe('Some of this needs another look.')
  expect(document.activeElement?.getAttribute('name')).toBe('f_email')
})
