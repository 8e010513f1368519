// The script of the public page of a form: sends the submission without leaving the page, with a proof of work.
import { withLimitMessage } from '#contract/visitorForms.ts'
import { adaptToFrame, openInTopWindow, reportHeight } from '../visitors/embedding.ts'
import { collectSubmission } from './collectSubmission.ts'
import { needsNewPageToken, openVisit } from '../visitors/visit.ts'
import { showProblemAndFocus, showProblem } from '../visitors/problem.ts'
import { findMessages, removeMessagesOnInput, showFileMessages, showMessages } from './messages.ts'
import { createFieldUpdate } from './newFields.ts'

const form = document.querySelector<HTMLFormElement>('#form')
const thanks = document.querySelector<HTMLElement>('#thanks')

adaptToFrame()
reportHeight()
if (form && thanks) sendOnSubmit(form, thanks)

function sendOnSubmit(element: HTMLFormElement, thanksElement: HTMLElement): void {
  element.noValidate = true // the page shows its own messages, which are below the fields and in the language of the page
  const visit = openVisit(element)
  const updateFields = createFieldUpdate(element, '.fields')
  const button = element.querySelector('button')
  let isSending = false

  async function submit(): Promise<void> {
    const messages = findMessages(element)
    showMessages(element, messages)
    if (Object.keys(messages).length > 0) return
    setSending(true)
    try {
      await send({ isRetry: false })
    } catch {
      showProblemAndFocus(element, 'This could not be sent. Check your connection and try again.')
    } finally {
      setSending(false)
    }
  }

  function setSending(value: boolean): void {
    isSending = value
    if (!button) return
    button.textContent = value ? 'Sending…' : 'Submit'
    button.setAttribute('aria-disabled', String(value))
  }

  async function send({ isRetry }: { isRetry: boolean }): Promise<void> {
    const { key, tokenAndProof } = await visit.prepare()
    const response = await fetch(`/api/public/forms/${element.dataset['id']}/submissions`, {
      method: 'POST',
      // a repeated request has the same key, and its submission is stored once
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...(await collectSubmission(element)), ...tokenAndProof }),
    })
    if (response.ok) return showThanks(thanksElement, element)
    const received: { code?: string; detail?: string; retry_after_seconds?: number; fields?: Record<string, string> } =
      await response.json()
    const problem = withLimitMessage(received)
    // request_reused: the answers were corrected after a lost response, and become another submission, so that the owner gets them
    if ((needsNewPageToken(problem.code) || problem.code === 'request_reused') && !isRetry) {
      const hasNewFields = updateFields(await visit.renew())
      if (!hasNewFields) return send({ isRetry: true })
      return void showProblem(element, 'This form has changed since you opened it. Please check your answers and send it again.')
    }
    // `showMessages` returns false if no message belongs to a field, such as one about too many files
    if (problem.code === 'invalid' && showMessages(element, problem.fields ?? {})) return
    if (problem.code === 'not_found') return showProblemAndFocus(element, 'This form no longer takes answers.')
    showProblemAndFocus(element, problem.detail ?? 'This could not be sent. Please try again.')
  }

  removeMessagesOnInput(element)
  element.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'file') showFileMessages(element, target)
  })
  element.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isSending) void submit()
  })
}

function showThanks(thanksElement: HTMLElement, element: HTMLFormElement): void {
  const address = thanksElement.dataset['redirect']
  element.hidden = true
  thanksElement.hidden = false
  thanksElement.focus()
  if (address !== undefined) openInTopWindow(address)
}
