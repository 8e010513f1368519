// Shows the fields of the newest version of the form. When the page gets a new token, the server checks the answers against that version.
import { inputsOf, isAnswered } from './messages.ts'

/**
 * Returns a function that receives the newly loaded page. If its fields differ from the shown ones, the function shows the new fields with
 * what the visitor has entered, and returns true. `selector`: the element with the fields. Call `createFieldUpdate` when the page is
 * opened: it remembers the HTML of the fields before the script adds messages to it.
 */
export function createFieldUpdate(form: HTMLFormElement, selector: string): (page: Document) => boolean {
  let shownHtml = form.querySelector(selector)?.innerHTML
  return (page) => {
    const [shown, fields] = [form, page].map((each) => each.querySelector(selector))
    if (!shown || !fields || fields.innerHTML === shownHtml) return false
    shownHtml = fields.innerHTML
    for (const field of fields.querySelectorAll<HTMLElement>('[data-id]')) {
      const { id, field: name } = field.dataset
      // a renamed field keeps its id, and a field that was removed and added again may keep its name
      const earlier = shown.querySelector(`[data-id="${id}"]`) ?? shown.querySelector(`[data-field="${name}"]`)
      if (earlier) copyEntries(earlier, field)
    }
    shown.replaceWith(fields)
    inputsOf(fields)[0]?.focus()
    return true
  }
}

/** Copies what was entered in a field to the same field of another version. A field that now has another type gets what it can hold. */
function copyEntries(from: Element, to: Element): void {
  const [first] = inputsOf(from)
  const files = first instanceof HTMLInputElement && first.type === 'file' ? first.files : null
  const entered = [...inputsOf(from)].filter(isAnswered).map(({ value }) => value)
  for (const input of inputsOf(to)) {
    const type = input instanceof HTMLInputElement ? input.type : ''
    if (input instanceof HTMLInputElement && (type === 'radio' || type === 'checkbox')) input.checked = entered.includes(input.value)
    else if (input instanceof HTMLInputElement && type === 'file') input.files = files ?? input.files
    else if (!files) input.value = entered.join(', ')
  }
}
