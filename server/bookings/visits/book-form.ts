// The form on the page of a booking link: the API request for a form that was sent without script, and the values in its fields.
import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { BookContent } from '#contract/pages.ts'
import { bookingFormFields } from '#contract/publicBookings.ts'
import { fieldPrefix, readChosenStart, readFieldValues, trapFieldName } from '#contract/visitorForms.ts'
import { readFieldTexts, textsOf } from '#server/platform/http/page-entries.ts'
import type { FormCall, SentForm } from '#server/platform/http/public-pages.ts'
import type { PublicLink } from './links.store.ts'

/** Returns the API request that books or waits, for a form that was sent without script; undefined without a link id or a token. */
export async function toCall(form: FormData): Promise<FormCall | undefined> {
  const texts = textsOf(form)
  const { link_id: id = '', page_token: token = '' } = texts
  if (!/^[0-9a-f-]{36}$/.test(id) || token === '') return undefined
  const proof = { page_token: token, without_script: true, [trapFieldName]: texts[trapFieldName] ?? '' }
  if (texts['action'] === 'wait') {
    const { date, timezone, name, email, wait_days: days } = texts
    const body = { date, timezone, name, email, days: Number(days), ...proof }
    // the signature of the token, so that a form that is sent again has the same key
    return { url: `/api/public/booking-links/${id}/waits`, key: `page-${token.split('.')[1]}`, body }
  }
  const entered: Readonly<Record<string, string>> = { ...texts, start_time: readChosenStart(form) }
  const fields = Object.keys(bookingFormFields).map((name) => [name, entered[name] ?? ''])
  const values = readFieldValues(form)
  return {
    url: `/api/public/booking-links/${id}/bookings`,
    // a form that is sent again has the same key
    key: `page-${createHash('sha256')
      .update(JSON.stringify([token, fields, values]))
      .digest('base64url')}`,
    body: { ...Object.fromEntries(fields), values, ...proof },
  }
}

const Confirmed = z.object({ address: z.string() })

/** Returns the address that confirms the booking or the wait of a form without script. */
export const findConfirmationAddress = ({ response }: SentForm): string | undefined => z.safeParse(Confirmed, response).data?.address

type Entered = Pick<Extract<BookContent, { kind: 'link' }>, 'values' | 'answers'>

/** Returns the values in the form: those of the form that was refused, or those in the query of the address. Empty after a booking. */
export function readEntered(link: PublicLink, query: unknown, sent: SentForm | undefined, isBooked: boolean): Entered {
  const { name = '', email = '', phone = '', notes = '' } = isBooked ? {} : textsOf(sent ? sent.form : query)
  const answers = isBooked ? {} : sent ? readFieldTexts(sent.form) : readAddressAnswers(link, query)
  return { values: { name, email, phone, notes }, answers }
}

/**
 * Returns the answers in the query of the address. Some were entered before a browser without script loaded another day. Others are for
 * hidden fields; their parameters have the name of the field without a prefix.
 */
function readAddressAnswers({ questions }: PublicLink, query: unknown): Record<string, string[]> {
  const values = new Map(Object.entries(query ?? {}))
  return Object.fromEntries(
    (questions?.fields ?? []).map(({ field_name: name, field_type: type }) => {
      const value: unknown = values.get(fieldPrefix + name) ?? (type === 'hidden' ? values.get(name) : undefined)
      return [name, [value].flat().filter((each) => typeof each === 'string')]
    }),
  )
}
