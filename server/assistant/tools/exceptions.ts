import type { Route } from '#contract/route.ts'

// The routes of the contract that no tool of the assistant calls.

/** Returns the method and the path of a route, such as "GET /api/deals". */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** The routes that no tool reaches, by their names, with the reason. A test fails for any other route without a tool. */
export const exceptions: readonly { reason: string; routes: RegExp }[] = [
  {
    reason: 'They are for visitors, for the live updates of screens, and for the operation of the server.',
    routes: /^GET \/(health|ready|api\/openapi\.json|api\/instance|api\/events)$/,
  },
  {
    reason: 'The account, its sessions and its safety belong to the user alone.',
    routes: /^(?!GET \/api\/profile$)\w+ \/api\/(users|session|sessions|profile|account|password-resets|takeout)\b/,
  },
  {
    reason: 'Forms are built on a screen that shows what visitors see, and answers to them come from visitors.',
    routes: /^\w+ \/api\/(lead-forms|submissions|submission-files)\b/,
  },
  { reason: 'The calendar shows a notice that only the user removes.', routes: /^\w+ \/api\/bookings\/zone-changes\b/ },
  { reason: 'The addresses of calendars are secrets of the user.', routes: /^\w+ \/api\/(calendar-feed|other-calendars)\b/ },
  { reason: 'Only the calendar shows the busy times of other calendars.', routes: /^GET \/api\/busy-times$/ },
  { reason: 'API keys and webhooks belong to the user alone.', routes: /^\w+ \/api\/(api-keys|webhooks)\b/ },
  { reason: 'The connections to other CRMs have keys and belong to the user alone.', routes: /^\w+ \/api\/crm-connections\b/ },
  { reason: 'The connection of the AI and its cost belong to the user alone.', routes: /^\w+ \/api\/ai\b/ },
  {
    reason: 'The assistant does not read or change its own conversations and proposals; only the user confirms.',
    routes: /^\w+ \/api\/(conversations|messages|message-files|proposals)\b/,
  },
  { reason: 'Only the user decides what visitors see and when they can book.', routes: /^\w+ \/api\/booking-links\b/ },
  { reason: 'Only visitors of public pages call them.', routes: /^\w+ \/api\/public\// },
  { reason: 'Mails to visitors may have texts of strangers, and only the user sends them again.', routes: /^\w+ \/api\/outbox\b/ },
  { reason: 'Screens call these functions for a single text, file or picture.', routes: /^\w+ \/functions\/v1\// },
  {
    reason: 'The assistant proposes a change of each record, so that the user can leave out some of them.',
    routes: /^POST \/api\/(\w+\/bulk\/(delete|edit)|files\/selection\/(move|delete)|folders\/paths|companies\/\{id\}\/contacts)$/,
  },
  {
    reason: 'The response is a file, which the model cannot read.',
    routes:
      /^\w+ \/api\/(\w+\/export|contacts\/export-cards|files\/\{id\}\/(content|thumbnail)|file-links\/\{token\}|files\/zip|zips\/\{id\})$/,
  },
  { reason: 'The user chooses the file of an import and checks its columns.', routes: /^\w+ \/api\/imports\b/ },
  { reason: 'The bytes of a file come from the user.', routes: /^\w+ \/api\/(uploads\b|files\/taken-names$)/ },
  {
    reason: 'The user undoes and restores, so that every change of the assistant can be taken back.',
    routes: /^\w+ \/api\/(changes\/\{id\}|trash\/\{id\})|^DELETE \/api\/(changes|trash)$/,
  },
  { reason: 'A view is saved on its list, where the user sees what it shows.', routes: /^(?!GET \/api\/views$)\w+ \/api\/views\b/ },
  {
    reason: 'A company is proposed as a new record, and the contact is then linked to it.',
    routes: /^POST \/api\/contacts\/\{id\}\/company(\/refuse)?$/,
  },
  {
    reason: 'Two contacts are merged on the screen where the user compares them.',
    routes: /^\w+ \/api\/contacts\/\{id\}\/(merge|not-duplicate)$/,
  },
  { reason: 'Only screens and downloads need them.', routes: /^\w+ \/api\/files\/(selection\/count|\{id\}\/checksum)$/ },
]

/** Returns true for a route that no tool reaches. */
export const hasNoTool = (route: Route): boolean => exceptions.some(({ routes }) => routes.test(nameOf(route)))
