// The sentence at the top of a form that says why it was not sent.

/**
 * Shows the sentence without moving the focus. An empty text removes the sentence. `isAboutFields`: the sentence only says that fields
 * have messages, and goes away with the last of them. The pages that the server renders also set `data-about-fields`.
 */
export function showProblem(form: HTMLFormElement, text: string, { isAboutFields = false } = {}): HTMLElement | null {
  const element = form.querySelector<HTMLElement>('.problem')
  if (element) element.textContent = text
  element?.toggleAttribute('data-about-fields', isAboutFields)
  return element
}

/** Shows the sentence and moves the focus to it, because the button is often so far below that the sentence is out of sight. */
export function showProblemAndFocus(form: HTMLFormElement, text: string): void {
  showProblem(form, text)?.focus()
}

/** Shows a sentence with a link that loads the page again. */
export function showOutdated(form: HTMLFormElement, text: string): void {
  const element = showProblem(form, `${text} `)
  const link = document.createElement('a')
  link.href = location.pathname + location.search // with a fragment, the link would only jump to it
  link.textContent = 'Reload the page'
  element?.append(link)
  element?.focus()
}
