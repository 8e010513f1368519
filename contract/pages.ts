// What the server passes to the functions that render HTML documents: the content of each public page, and the parts that all pages have.
import type { FormField } from './formFields.ts'
import type { ChangeState, OfferedTime, OtherDay } from './publicBookings.ts'

/**
 * What differs in each response with the same page. `nonce` is the nonce of the content security policy. A page in which visitors write has
 * a `token` and, as JSON, the `challenge` for the proof of work; in others both are empty.
 */
export type PageParts = { nonce: string; token: string; challenge: string }

/**
 * What the HTML document of a public page contains in addition to the content. `styles` and `scripts` are the URLs of the page's files.
 * `prefetchUrls` are the URLs of the application's files, which the page's script fetches when the browser is idle.
 */
export type PageResources = PageParts & { styles: string[]; scripts: string[]; prefetchUrls: string[] }

/** The content of the landing page. `address` is the public origin, such as `https://foyer.example`; the copyright notice shows `year`. */
export type LandingContent = { year: number; address: string }

/** The content of a public form. */
export type FormContent = {
  /**
   * `missing`: there is no such form, or it is not active; then the other parts are empty. `closed`: the form takes no more submissions.
   * `sent`: the page is the response to a received submission.
   */
  state: 'open' | 'closed' | 'sent' | 'missing'
  id: string
  /** The public URL of the form. */
  address: string
  /** The path and the query of this page, to which its form is sent. */
  path: string
  title: string
  description: string
  success_message: string
  redirect_url: string
  /** The fields, the fixed ones first. */
  fields: readonly FormField[]
  /** The values of fields, from the query of the page or from a refused submission. */
  values: Readonly<Record<string, readonly string[]>>
  /** For the fields of a refused submission: what is wrong. */
  messages: Readonly<Record<string, string>>
  /** Why the submission was refused. */
  problem: string
  is_embedded: boolean
}

/** A field of a request or a response: its name, its type in words, and whether a request must have it. */
export type ApiField = { name: string; type: string; isRequired: boolean }

/** A route as the page about the API describes it. `command` calls it with curl. */
export type ApiRoute = {
  id: string
  method: string
  path: string
  summary: string
  scopes: readonly string[]
  parameters: readonly ApiField[]
  body: readonly ApiField[]
  /** What a successful response contains: "JSON", "A file". */
  response: string
  responseFields: readonly ApiField[]
  errors: readonly { code: string; status: number; sentence: string }[]
  command: string
}

/** The content of the page about the API. `webhook` is the body of an example webhook, and `mcp` the configuration of an AI program. */
export type ApiDocsContent = {
  origin: string
  leadCommand: string
  groups: readonly { id: string; title: string; routes: readonly ApiRoute[] }[]
  errors: readonly { code: string; status: number; sentence: string }[]
  events: readonly string[]
  webhook: string
  mcp: string
}

/** What a page shows to choose a time. */
export type TimeChoice = {
  timezone: string
  timezone_label: string
  /** The names of all time zones, if the visitor wants to choose one without script. */
  timezones: readonly string[]
  /** The first and the last day that can be chosen. */
  today: string
  last_day: string
  /** The chosen day. */
  date: string
  /** The free times of the chosen day. */
  times: readonly OfferedTime[]
  /** If the chosen day has no times: the next day with times, otherwise the last one before. Null if none was found. */
  other_day: OtherDay | null
  /** True if all days that can be chosen were searched, and none has times. */
  is_full: boolean
  /** The start that the visitor has chosen before, as it was sent: it may be missing, wrong, or of another day. */
  start_time: string
}

/** A sentence for the visitor, the sentences of fields by their names, and free times near the one that was just taken. */
export type PageProblem = { message: string; fields: Readonly<Record<string, string>>; nearest: readonly OfferedTime[] }

/**
 * A booking that was just made. `can_change`: it does not begin too soon to be moved or cancelled. `move_url` is empty if it cannot be moved
 * because its link takes no bookings.
 */
export type BookedContent = { when: string; email: string; can_change: boolean; cancel_url: string; move_url: string }

/**
 * The content of the page of a booking link. `missing`: there is none, or it is inactive. `booked`: the same for a visitor who has booked
 * before, and keeps the confirmation.
 */
export type BookContent =
  | { kind: 'missing' }
  | {
      kind: 'booked'
      title: string
      color: string
      owner_name: string
      timezone_label: string
      sends_mail: boolean
      booked: BookedContent
    }
  | {
      kind: 'link'
      /** The address of the page. */
      url: string
      link: { id: string; slug: string; title: string; description: string; color: string; duration_minutes: number }
      owner_name: string
      choice: TimeChoice
      values: Readonly<Record<'name' | 'email' | 'phone' | 'notes', string>>
      /** The questions of the link, and the entered answers by the names of the fields. */
      questions: readonly FormField[]
      answers: Readonly<Record<string, readonly string[]>>
      /** The path of the page, to which its form is sent. */
      path: string
      problem: PageProblem | null
      /** Whether the server sends mails; without them, the visitor must keep the links of the page. */
      sends_mail: boolean
      /** How long before the start a booking can be changed, such as `24 hours`; empty without such a limit. */
      cutoff: string
      booked: BookedContent | null
      /** The wait that the visitor has just started: the days, also as a text, and the address of the page to stop it. */
      waiting: { first_day: string; last_day: string; days: string; email: string; stop_url: string } | null
    }

/** The content of the pages to cancel or move a booking. `unknown`: the link of the mail is not valid. */
export type BookingChangeContent =
  | { kind: 'unknown' }
  | {
      kind: 'cancel' | 'move'
      state: ChangeState
      /** The address of the page, to which its form is sent. */
      path: string
      booking: { title: string; when: string; timezone_label: string; color: string }
      owner_name: string
      /** How long before the start the booking can be changed, such as `24 hours`; empty without such a limit. */
      cutoff: string
      /** The id of the link whose times are offered, the choice, and the start of the booking; null unless the booking can be moved. */
      move: { link_id: string; choice: TimeChoice; booked_start: string } | null
      /** The address of the page to book again; empty if there is none. */
      book_url: string
      /** After a move, or if the booking cannot be moved: the pages that move and cancel it; empty if it cannot be changed. */
      move_url: string
      cancel_url: string
      problem: PageProblem | null
      sends_mail: boolean
    }

/** What the page to stop waiting for a free time says about the waits of the token in its address. */
type Waits = {
  /** Whether the token stops all waits of an email, not only one. */
  stops_all: boolean
  /** The title of the booking link; "Free times" if the waits are for several links. */
  title: string
  color: string
  owner_name: string
}

/**
 * The content of the page to stop waiting for a free time. `unknown`: the token in the address is not valid. `stopped`: the visitor is not
 * waiting. `open`: the visitor is waiting, and can stop.
 */
export type StopWaitingContent =
  | { kind: 'unknown' }
  | (Waits & {
      kind: 'stopped'
      /** Whether the form that was just sent has stopped the waits. */
      is_done: boolean
      /** The address of the booking link; empty if there are several links, or if the link takes no bookings. */
      book_url: string
    })
  | (Waits & {
      kind: 'open'
      path: string
      /** A text for each wait. */
      days: readonly string[]
      /** The days in a sentence, such as `on Monday, 30 November 2026`. */
      when: string
      /** The id of the booking link, which the form sends; empty if the waits are for several. */
      link_id: string
      /** Why the sent form did nothing; empty if no form was sent. */
      problem: string
    })

/** The names of the public pages, and the type of the content that the server passes to each page. */
export type PublicContents = {
  landing: LandingContent
  notFound: null
  form: FormContent
  book: BookContent
  cancelBooking: BookingChangeContent
  moveBooking: BookingChangeContent
  stopWaiting: StopWaitingContent
  apiDocs: ApiDocsContent
}

/** For each public page, the function that returns its complete HTML document. */
export type PublicPages = { [Name in keyof PublicContents]: (content: PublicContents[Name], resources: PageResources) => string }

/**
 * What the document of a signed-in screen contains before the application has started. `styles` is CSS. `html` is the frame with the
 * placeholders of the screen; the server replaces the word NONCE in it by the nonce of the response. `firstRequests` are the addresses of
 * the API that the screen requests first.
 */
export type Skeleton = { title: string; styles: string; html: string; firstRequests: readonly string[] }

/** Returns the skeleton of the signed-in screen at a URL without its origin, such as `/crm/contacts?sort=name`. */
export type FindSkeleton = (url: string) => Skeleton
