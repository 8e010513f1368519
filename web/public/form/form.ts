// The script of the public page of a form: sends the answer without leaving the page, with a proof of work.
import { openInTopWindow, reportHeight } from '../visitors/embedding.ts'
import { collectAnswer } from './collectAnswer.ts'
import { solveProof, waitUntilPlausible, type VisitProof } from '../visitors/proof.ts'
import { findMissing, showMessages, showProblem } from './messages.ts'

const form = document.querySelector<HTMLFormElement>('#form')
const thanks = document.querySelector<HTMLElement>('#thanks')

reportHeight()
if (form && thanks) takeAnswers(form, thanks)

/** The state of a page that was received: its token, and the proof of it as soon as the visitor begins to fill it in. */
type Page = { token: string; challenge: string; openedAt: number; proof?: Promise<VisitProof> }

function takeAnswers(element: HTMLFormElement, thanksElement: HTMLElement): void {
  element.noValidate = true // the messages of this page are in its language and below their fields
  let page: Page = { ...readPage(document), openedAt: performance.now() }
  const prove = (): Promise<VisitProof> => (page.proof ??= solveProof(page.challenge))
  for (const event of ['focusin', 'pointerdown'] as const) element.addEventListener(event, () => void prove(), { once: true })
  const button = element.querySelector('button')
  let isSending = false

  async function submit(): Promise<void> {
    const missing = findMissing(element)
    showMessages(element, missing)
    if (Object.keys(missing).length > 0) return
    setSending(true)
    try {
      await send({ isRetry: false })
    } catch {
      showProblem(element, 'This could not be sent. Check your connection and try again.')
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
    const proof = await prove()
    await waitUntilPlausible(proof, page.openedAt)
    const response = await fetch(`/api/public/forms/${element.dataset['id']}/submissions`, {
      method: 'POST',
      // a repeated request has the same key, and its answer is stored once
      headers: { 'content-type': 'application/json', 'idempotency-key': `page-${page.token.split('.')[1]}` },
      body: JSON.stringify({ ...(await collectAnswer(element)), ...proof, page_token: page.token }),
    })
    if (response.ok) return showThanks(thanksElement, element)
    const problem: { code?: string; detail?: string; fields?: Record<string, string> } = await response.json()
    const isOldPage = ['page_expired', 'visit_refused', 'request_reused'].includes(problem.code ?? '')
    if (isOldPage && !isRetry) {
      page = await loadPage()
      return send({ isRetry: true })
    }
    if (problem.code === 'invalid' && problem.fields) return showMessages(element, problem.fields)
    showProblem(element, problem.detail ?? 'This could not be sent. Please try again.')
  }

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

/** Loads the page again for a new token. What the visitor has entered stays in the fields. */
async function loadPage(): Promise<Page> {
  const response = await fetch(location.href)
  const loaded = new DOMParser().parseFromString(await response.text(), 'text/html')
  return { ...readPage(loaded), openedAt: performance.now() }
}

function readPage(page: Document): Pick<Page, 'token' | 'challenge'> {
  return {
    token: page.querySelector<HTMLInputElement>('[name=page_token]')?.value ?? '',
    challenge: page.querySelector<HTMLElement>('#form')?.dataset['challenge'] ?? '',
  }
}
