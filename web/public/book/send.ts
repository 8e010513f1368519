// Sends the booking without leaving the page.
import type { OfferedTime } from '#contract/publicBookings.ts'
import { fieldPrefix, readChosenStart, readFieldValues, trapFieldName, withLimitMessage } from '#contract/visitorForms.ts'
import { removeMessagesOnInput, showFieldMessages, type FieldWithMessage } from '../form/messages.ts'
import { createFieldUpdate } from '../form/newFields.ts'
import { showOutdated, showProblemAndFocus, showProblem } from '../visitors/problem.ts'
import { needsNewPageToken, openVisit } from '../visitors/visit.ts'
import type { ShownTimes } from './times.ts'

type Problem = { code?: string; detail?: string; retry_after_seconds?: number; fields?: Record<string, string>; nearest?: OfferedTime[] }
const bookingFields = ['start_time', 'timezone', 'name', 'email', 'phone', 'notes']
const waitFields = ['date', 'timezone', 'name', 'email']
/** What the buttons of the form do: book a time, or wait for one. */
type Action = 'book' | 'wait'

/** A request of the form, with its idempotency key. */
type SentRequest = { action: Action; key: string; body: string }

/** When the form of a booking link is submitted, sends it and opens the page that confirms it. Shows on this page what is wrong. */
export function sendBookingOnSubmit(form: HTMLFormElement, linkId: string, times: ShownTimes): void {
  const visit = openVisit(form)
  const updateQuestions = createFieldUpdate(form, '.questions')
  let isSending = false
  let requestCount = 0
  /** The requests with the token of this page that got no response, the newest first. Any of them may be stored. */
  let unanswered: readonly SentRequest[] = []

  async function send(action: Action, { isRetry }: { isRetry: boolean }): Promise<void> {
    const { key, tokenAndProof } = await visit.prepare()
    const values = new FormData(form)
    const body = JSON.stringify({ ...(action === 'book' ? readBooking(values) : readWait(values)), ...tokenAndProof })
    const [last] = unanswered
    // a corrected form gets another key; by the token of the page, the server finds an earlier request that it has stored
    const request = last?.body === body ? last : { action, key: `${key}-${++requestCount}`, body }
    const others = unanswered.filter((each) => each.body !== body)
    unanswered = [request, ...others]
    const response = await post(linkId, request)
    if (!mayBeStored(response)) unanswered = others
    if (response.ok) return openConfirmation(response)
    const problem: Problem = await response.json()
    if (needsNewPageToken(problem.code) && !isRetry) {
      const page = await renew()
      return page && send(action, { isRetry: true })
    }
    const hasNewQuestion = findMessagesWithoutField(form, problem).some(([name]) => isNewQuestion(form, name))
    if (hasNewQuestion) {
      const page = await renew()
      if (!page) return
      updateQuestions(page)
    }
    setSending(action, false)
    showRefusal(problem, { hasNewQuestion, start: readChosenStart(values) })
  }

  /** Loads the page again for a new token. Returns undefined, and opens the confirmation, if `findStored` finds a response. */
  async function renew(): Promise<Document | undefined> {
    const stored = await findStored()
    if (stored) {
      await openConfirmation(stored)
      return undefined
    }
    const page = await visit.renew()
    unanswered = []
    return page
  }

  /**
   * Sends the bookings without a response again. Returns the response to the one that is stored; undefined if all are refused. Throws if
   * the server does not say whether one is stored: with a new token, the visitor could book twice, or would read that the time of this
   * first booking is taken. Waits are not sent again: a second wait does no harm, and the visitor could take the confirmation of a wait for
   * that of the booking.
   */
  async function findStored(): Promise<Response | undefined> {
    for (const request of unanswered) {
      if (request.action === 'wait') continue
      const response = await post(linkId, request)
      if (response.ok) return response
      if (mayBeStored(response)) throw new Error('The server does not say whether an earlier request was stored')
    }
    return undefined
  }

  async function openConfirmation(response: Response): Promise<void> {
    unanswered = []
    const { address }: { address: string } = await response.json()
    location.assign(address)
  }

  /** `hasNewQuestion`: the owner has added a question since the visitor opened the page. `start`: the start of the time that was sent. */
  function showRefusal(problem: Problem, { hasNewQuestion, start }: { hasNewQuestion: boolean; start: string }): void {
    const { code, detail = 'This could not be sent. Please try again.', fields = {}, nearest = [] } = withLimitMessage(problem)
    showFieldMessages(listFields(form), fields)
    const texts = findMessagesWithoutField(form, problem).map(([, text]) => text.replace(/\.?$/, '.'))
    if (texts.length > 0) return showOutdated(form, [hasNewQuestion ? pageHasChanged : 'This could not be sent.', ...texts].join(' '))
    if (code === 'invalid')
      return void showProblem(form, `${hasNewQuestion ? `${pageHasChanged} ` : ''}Please check what is marked below.`, {
        isAboutFields: !hasNewQuestion,
      })
    if (code !== 'slot_taken')
      return showProblemAndFocus(form, code === 'not_found' ? 'This page takes no bookings at the moment.' : detail)
    showProblem(form, '')
    times.showNearest(start, nearest, detail)
  }

  function setSending(action: Action, value: boolean): void {
    isSending = value
    const button = form.querySelector(action === 'book' ? 'button.button-primary' : 'button[name=action]')
    if (!button) return
    const [label, labelWhileSending] = buttonLabels[action]
    button.textContent = value ? labelWhileSending : label
    button.setAttribute('aria-disabled', String(value))
  }

  removeMessagesOnInput(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    const action = event.submitter?.getAttribute('value') === 'wait' ? 'wait' : 'book'
    setSending(action, true)
    send(action, { isRetry: false }).catch(() => {
      setSending(action, false)
      showProblemAndFocus(form, 'This could not be sent. Check your connection and try again.')
    })
  })
}

/** Whether the request may be stored although its response is an error: an error of the server, or too many requests. */
const mayBeStored = ({ status }: Response): boolean => status >= 500 || status === 429

const pageHasChanged = 'This page has changed since you opened it.'

const buttonLabels: Readonly<Record<Action, [label: string, whileSending: string]>> = {
  book: ['Confirm Booking', 'Confirming...'],
  wait: ['Tell me when a time is free', 'Sending...'],
}

const post = (linkId: string, { action, key, body }: SentRequest): Promise<Response> =>
  fetch(`/api/public/booking-links/${linkId}/${action === 'book' ? 'bookings' : 'waits'}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body,
  })

const readTexts = (values: FormData, names: readonly string[]): object =>
  Object.fromEntries([...names, trapFieldName].map((name) => [name, values.get(name) ?? '']))

const readBooking = (values: FormData): object => ({
  ...readTexts(values, bookingFields),
  start_time: readChosenStart(values),
  values: readFieldValues(values),
})

const readWait = (values: FormData): object => ({
  ...readTexts(values, waitFields),
  days: Number(values.get('wait_days')),
})

/** Returns the inputs of a field: several if it is a question with radio buttons or checkboxes. */
const findInputs = (form: HTMLFormElement, name: string): HTMLElement[] => [...form.querySelectorAll<HTMLElement>(`[name="${name}"]`)]

const isNewQuestion = (form: HTMLFormElement, name: string): boolean => name.startsWith(fieldPrefix) && findInputs(form, name).length === 0

/** Returns the fields of the page that can have a message, in the order of the page, because the first with a message gets the focus. */
function listFields(form: HTMLFormElement): FieldWithMessage[] {
  const questions = [...form.querySelectorAll<HTMLElement>('[data-field]')].map(({ dataset }) => dataset['field'] ?? '')
  const toIds = (name: string): [name: string, id: string] => [name, `${name}-message`]
  const ids = [
    ...['date', 'start_time', 'timezone', 'name', 'email', 'phone'].map(toIds),
    ...questions.map((name): [name: string, id: string] => [fieldPrefix + name, `message-${name}`]),
    toIds('notes'),
  ]
  return ids.map(([name, id]) => ({ name, inputs: findInputs(form, name), element: document.querySelector(`#${id}`) }))
}

/**
 * Returns the messages that the page can show at no field, by their names. They are about questions that the owner has added since the page
 * was opened, or about values that the visitor does not enter, such as the proof or a hidden field.
 */
function findMessagesWithoutField(form: HTMLFormElement, { code, fields = {} }: Problem): [name: string, text: string][] {
  const names = new Set(listFields(form).map(({ name }) => name))
  return code === 'invalid' ? Object.entries(fields).filter(([name]) => !names.has(name)) : []
}
