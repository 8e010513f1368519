// Sends the booking without leaving the page.
import type { OfferedTime } from '#contract/publicBookings.ts'
import { fieldPrefix, readChosenStart, trapFieldName } from '#contract/visitorForms.ts'
import { createFieldUpdate } from '../form/newFields.ts'
import { showOutdated, showProblem, writeProblem } from '../visitors/problem.ts'
import { isSolvedByNewPage, openVisit } from '../visitors/visit.ts'
import type { ShownTimes } from './times.ts'

type Problem = { code?: string; detail?: string; fields?: Record<string, string>; nearest?: OfferedTime[] }
const bookingFields = ['start_time', 'timezone', 'name', 'email', 'phone', 'notes']
const waitFields = ['date', 'timezone', 'name', 'email']
/** What the buttons of the form do: book a time, or wait for one. */
type Action = 'book' | 'wait'

/** A request of the form, with its idempotency key. */
type SentRequest = { path: string; key: string; body: string }

/** When the form of a booking link is submitted, sends it and opens the page that confirms it. Shows on this page what is wrong. */
export function sendBookingOnSubmit(form: HTMLFormElement, link: string, times: ShownTimes): void {
  const visit = openVisit(form)
  const updateQuestions = createFieldUpdate(form, '.questions')
  let isSending = false
  let requestCount = 0
  /** The requests with the token of this page that got no response, by their bodies. Any of them may be stored. */
  const unanswered = new Map<string, SentRequest>()

  async function send(action: Action, { isRetry }: { isRetry: boolean }): Promise<void> {
    const { key, fields } = await visit.prepare()
    const values = new FormData(form)
    const body = JSON.stringify({ ...(action === 'book' ? readBooking(values) : readWait(values)), ...fields })
    // a corrected form has another key, and the server finds what the page has stored before by its token
    const request = unanswered.get(body) ?? { path: action === 'book' ? 'bookings' : 'waits', key: `${key}-${++requestCount}`, body }
    unanswered.set(body, request)
    const response = await post(link, request)
    if (!mayBeStored(response)) unanswered.delete(body)
    if (response.ok) return openConfirmation(response)
    const problem: Problem = await response.json()
    if (isSolvedByNewPage(problem.code) && !isRetry) {
      const page = await renew()
      return page && send(action, { isRetry: true })
    }
    const hasNewQuestions = listMissing(form, problem).some(([name]) => name.startsWith(fieldPrefix))
    if (hasNewQuestions) {
      const page = await renew()
      if (!page) return
      updateQuestions(page)
    }
    setSending(action, false)
    showRefusal(problem, { hasNewQuestions })
  }

  /** Loads the page again for a new token. Returns undefined, and opens the confirmation, if a request without a response was stored. */
  async function renew(): Promise<Document | undefined> {
    const stored = await findStored()
    if (stored) {
      await openConfirmation(stored)
      return undefined
    }
    const page = await visit.renew()
    unanswered.clear()
    return page
  }

  /**
   * Sends the bookings without a response again. Returns the response to the one that is stored; undefined if all are refused. Throws if the
   * server does not say so. With a new token the visitor could otherwise book twice, or read that the time of the own booking is taken. A wait
   * that may be stored does not matter: the visitor can wait again, and must not take its confirmation for that of a booking.
   */
  async function findStored(): Promise<Response | undefined> {
    for (const request of unanswered.values()) {
      if (request.path !== 'bookings') continue
      const response = await post(link, request)
      if (response.ok) return response
      if (mayBeStored(response)) throw new Error('The server does not say whether an earlier request was stored')
    }
    return undefined
  }

  async function openConfirmation(response: Response): Promise<void> {
    unanswered.clear()
    const { address }: { address: string } = await response.json()
    location.assign(address)
  }

  /** `hasNewQuestions`: the owner has added questions since the visitor opened the page. */
  function showRefusal(problem: Problem, { hasNewQuestions }: { hasNewQuestions: boolean }): void {
    const { code, detail = 'This could not be sent. Please try again.', fields = {}, nearest = [] } = problem
    showMessages(form, fields)
    const changed = hasNewQuestions ? 'This page has changed since you opened it. ' : ''
    const missing = listMissing(form, problem).map(([, text]) => text.replace(/\.?$/, '.'))
    if (missing.length > 0) return showOutdated(form, changed + missing.join(' '))
    if (code === 'invalid') return void writeProblem(form, `${changed}Please check what is marked below.`)
    if (code !== 'slot_taken') return showProblem(form, code === 'not_found' ? 'This page takes no bookings at the moment.' : detail)
    writeProblem(form, detail)
    times.showNearest(nearest)
  }

  function setSending(action: Action, value: boolean): void {
    isSending = value
    const button = form.querySelector(action === 'book' ? 'button.button-primary' : 'button[name=action]')
    if (!button) return
    const [label, labelWhileSending] = buttonLabels[action]
    button.textContent = value ? labelWhileSending : label
    button.setAttribute('aria-disabled', String(value))
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    const action = event.submitter?.getAttribute('value') === 'wait' ? 'wait' : 'book'
    setSending(action, true)
    send(action, { isRetry: false }).catch(() => {
      setSending(action, false)
      showProblem(form, 'This could not be sent. Check your connection and try again.')
    })
  })
}

/** Whether the response leaves open if an earlier attempt of the same request was stored: an error of the server, or too many requests. */
const mayBeStored = ({ status }: Response): boolean => status >= 500 || status === 429

const buttonLabels: Readonly<Record<Action, [label: string, whileSending: string]>> = {
  book: ['Confirm Booking', 'Confirming...'],
  wait: ['Tell me when a time is free', 'Sending...'],
}

const post = (link: string, { path, key, body }: SentRequest): Promise<Response> =>
  fetch(`/api/public/booking-links/${link}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body,
  })

const readTexts = (values: FormData, names: readonly string[]): object =>
  Object.fromEntries([...names, trapFieldName].map((name) => [name, values.get(name) ?? '']))

const readBooking = (values: FormData): object => ({
  ...readTexts(values, bookingFields),
  start_time: readChosenStart(values),
  values: readAnswers(values),
})

const readWait = (values: FormData): object => ({
  ...readTexts(values, waitFields),
  days: Number(values.get('wait_days')),
})

/** Returns the answers to the questions of the owner, by the names of their fields. */
function readAnswers(values: FormData): Record<string, unknown> {
  const names = [...new Set(values.keys())].filter((name) => name.startsWith(fieldPrefix))
  return Object.fromEntries(
    names.map((name) => {
      const all = values.getAll(name)
      return [name.slice(fieldPrefix.length), all.length > 1 ? all : all[0]]
    }),
  )
}

/** Returns the id of the element for the message of each field of the page, by the name of the field. */
function messageIdsOf(form: HTMLFormElement): Map<string, string> {
  const questions = [...form.querySelectorAll<HTMLElement>('[data-field]')].map(({ dataset }) => dataset['field'] ?? '')
  return new Map([
    ...[...waitFields, ...bookingFields].map((name) => [name, `${name}-message`] as const),
    ...questions.map((name) => [fieldPrefix + name, `message-${name}`] as const),
  ])
}

/** Returns the names of the fields that are not on the page, such as questions that the owner has added since, with their messages. */
function listMissing(form: HTMLFormElement, { code, fields = {} }: Problem): [name: string, message: string][] {
  const ids = messageIdsOf(form)
  return code === 'invalid' ? Object.entries(fields).filter(([name]) => !ids.has(name)) : []
}

/** Shows the messages below their fields, and removes the others. The first field with a message gets the focus. */
function showMessages(form: HTMLFormElement, messages: Readonly<Record<string, string>>): void {
  let isFirst = true
  for (const [name, id] of messageIdsOf(form)) {
    const element = document.querySelector(`#${id}`)
    const input = form.querySelector<HTMLElement>(`[name="${name}"]`)
    const message = messages[name]
    if (element) element.textContent = message ?? ''
    if (message === undefined) input?.removeAttribute('aria-invalid')
    else input?.setAttribute('aria-invalid', 'true')
    if (message !== undefined && isFirst) input?.focus()
    if (message !== undefined) isFirst = false
  }
}
