// The script of the pages on which visitors book and move: shows the times of the chosen day and zone, and sends the booking without leaving
// the page, with a proof of work.
import { adaptToFrame, reportHeight } from '../visitors/embedding.ts'
import { sendBookingOnSubmit } from './send.ts'
import { showTimes } from './times.ts'

const form = document.querySelector<HTMLFormElement>('#form')

adaptToFrame()
reportHeight()
document.querySelector<HTMLElement>('#booked')?.focus()
if (form?.dataset['link'] !== undefined) {
  const times = showTimes(form, form.dataset['link'])
  // the page that moves a booking has no challenge: the browser sends its form
  if (form.dataset['challenge'] !== undefined) sendBookingOnSubmit(form, form.dataset['link'], times)
}
