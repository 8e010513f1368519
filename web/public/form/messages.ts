import { findAnswerError } from '#contract/visitorForms.ts'
import { showProblem } from '../visitors/problem.ts'

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Returns the inputs of a field, or of several. */
export const inputsOf = (field: Element): NodeListOf<Input> => field.querySelectorAll('input, select, textarea')

/**
 * Returns a message for each field whose answer the server would refuse, and for each field with a text that the browser cannot read, such
 * as half a date. The value of such a field is empty, so the server would not see that the visitor has answered.
 */
export function findMessages(form: HTMLFormElement): Record<string, string> {
  const messages = [...form.querySelectorAll<HTMLElement>('[data-field]')].flatMap((field): [string, string][] => {
    const { field: name = '', label = '', missing } = field.dataset
    if ([...inputsOf(field)].some(({ validity }) => validity.badInput)) return [[name, `${label} is not complete or cannot be read`]]
    const answered = [...inputsOf(field)].find(isAnswered)
    if (answered) {
      const message = findAnswerError(answered.type, answered.value.trim())
      return message === undefined ? [] : [[name, `${label} ${message}`]]
    }
    return missing === undefined ? [] : [[name, missing]]
  })
  return { ...Object.fromEntries(messages), ...findFileMessages(form) }
}

/** Returns a message for each field with files, if all files of the form together are larger than the server takes. */
function findFileMessages(form: HTMLFormElement): Record<string, string> {
  const inputs = [...fileInputsOf(form)].filter(isAnswered)
  const bytes = inputs.flatMap(({ files }) => [...(files ?? [])]).reduce((sum, { size }) => sum + size, 0)
  const maxBytes = Number(inputs[0]?.dataset['maxBytes'] ?? Infinity)
  if (bytes <= maxBytes) return {}
  const text = `All files together may have at most ${formatMegabytes(maxBytes)}, and these have ${formatMegabytes(bytes)}`
  return Object.fromEntries(inputs.map((input) => [fieldOf(input)?.dataset['field'] ?? '', text]))
}

/** Shows in the fields with files, and in the field of `changed`, whether all files together are too large. */
export function showFileMessages(form: HTMLFormElement, changed: HTMLInputElement): void {
  const messages = findFileMessages(form)
  removeSolvedProblem(form, () => {
    for (const input of fileInputsOf(form)) {
      const field = fieldOf(input)
      if (field && (input === changed || isAnswered(input))) showMessage(toFieldWithMessage(field), messages[field.dataset['field'] ?? ''])
    }
  })
}

const fileInputsOf = (form: HTMLFormElement): NodeListOf<HTMLInputElement> => form.querySelectorAll('input[type=file]')

const fieldOf = (input: Input): HTMLElement | null => input.closest<HTMLElement>('[data-field]')

/** Rounds up, so that a sum above the limit never looks like the limit. */
const formatMegabytes = (bytes: number): string => `${Math.ceil((bytes / 1024 ** 2) * 10) / 10} MB`

export const isAnswered = (input: Input): boolean =>
  input instanceof HTMLInputElement && (input.type === 'radio' || input.type === 'checkbox') ? input.checked : input.value.trim() !== ''

/** A field that can have a message. `element`: the element below it for the message. */
export type FieldWithMessage = { name: string; inputs: readonly HTMLElement[]; element: Element | null }

const toFieldWithMessage = (field: HTMLElement): FieldWithMessage => ({
  name: field.dataset['field'] ?? '',
  inputs: [...inputsOf(field)],
  element: field.querySelector('.message'),
})

/** Shows the messages at the fields of a form. Returns false if no field has a message. */
export function showMessages(form: HTMLFormElement, messages: Readonly<Record<string, string>>): boolean {
  const isShown = showFieldMessages([...form.querySelectorAll<HTMLElement>('[data-field]')].map(toFieldWithMessage), messages)
  showProblem(form, isShown ? 'Some of this needs another look.' : '', { isAboutFields: isShown })
  return isShown
}

/**
 * Shows the messages below their fields, and removes the others. The first field with a message gets the focus. Returns false if no field
 * has a message.
 */
export function showFieldMessages(fields: readonly FieldWithMessage[], messages: Readonly<Record<string, string>>): boolean {
  for (const field of fields) showMessage(field, messages[field.name])
  const first = fields.find(({ name }) => messages[name] !== undefined)
  first?.inputs[0]?.focus()
  return first !== undefined
}

/** Removes the message of a field when the visitor changes the field, whose value is checked again when the form is sent. */
export function removeMessagesOnInput(form: HTMLFormElement): void {
  form.addEventListener('input', ({ target }) => {
    // the buttons of a choice share the description of their fieldset
    const described = target instanceof Element ? target.closest('[aria-describedby]') : null
    const element = described && document.querySelector(`#${described.getAttribute('aria-describedby')}`)
    if (!element) return
    const inputs = [described, ...described.querySelectorAll('[aria-invalid]')]
    removeSolvedProblem(form, () => showMessage({ inputs, element }, undefined))
  })
}

/** Runs `change`. If no field has a message any more, also removes the sentence about the messages. */
function removeSolvedProblem(form: HTMLFormElement, change: () => void): void {
  change()
  if (!form.querySelector('[aria-invalid]') && form.querySelector('.problem[data-about-fields]')) showProblem(form, '')
}

function showMessage(
  { inputs, element }: Pick<FieldWithMessage, 'element'> & { inputs: readonly Element[] },
  message: string | undefined,
): void {
  // without `aria-invalid`, the text below a field is not about a refused value, but for example about a day without times
  if (message === undefined && !inputs.some((input) => input.hasAttribute('aria-invalid'))) return
  // `data-lasting` is the text for a field without a message, such as that a day has no times
  if (element) element.textContent = message ?? element.getAttribute('data-lasting') ?? ''
  for (const input of inputs) {
    if (message === undefined) input.removeAttribute('aria-invalid')
    else input.setAttribute('aria-invalid', 'true')
  }
}
