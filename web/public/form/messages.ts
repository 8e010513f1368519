type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const inputsOf = (field: Element): NodeListOf<Input> => field.querySelectorAll('input, select, textarea')

/** Returns a message for each required field without an answer, as the server would. */
export function findMissing(form: HTMLFormElement): Record<string, string> {
  const missing = [...form.querySelectorAll<HTMLElement>('[data-field]')].flatMap((field): [string, string][] => {
    const { field: name = '', label = '' } = field.dataset
    const isRequired = field.querySelector('.required') !== null
    if (!isRequired || [...inputsOf(field)].some(isAnswered)) return []
    const isName = name === 'first_name' || name === 'last_name'
    return [[name, isName ? 'First name and last name are required' : `${label} is required`]]
  })
  return Object.fromEntries(missing)
}

const isAnswered = (input: Input): boolean =>
  input instanceof HTMLInputElement && (input.type === 'radio' || input.type === 'checkbox') ? input.checked : input.value.trim() !== ''

/** Shows the messages below their fields, and removes the others. The first field with a message gets the focus. */
export function showMessages(form: HTMLFormElement, messages: Readonly<Record<string, string>>): void {
  let isFirst = true
  for (const field of form.querySelectorAll<HTMLElement>('[data-field]')) {
    const message = messages[field.dataset['field'] ?? '']
    const element = field.querySelector('.message')
    if (element) element.textContent = message ?? ''
    for (const input of inputsOf(field)) {
      if (message === undefined) input.removeAttribute('aria-invalid')
      else input.setAttribute('aria-invalid', 'true')
    }
    if (message !== undefined && isFirst) inputsOf(field)[0]?.focus()
    if (message !== undefined) isFirst = false
  }
  showProblem(form, isFirst ? '' : 'Some of this needs another look.')
}

export function showProblem(form: HTMLFormElement, text: string): void {
  const element = form.querySelector('#form-problem')
  if (element) element.textContent = text
}
