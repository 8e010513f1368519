import { apiDocsFeature } from '#server/api-docs/api-docs.ts'
import { apiKeyFeature } from '#server/api-keys/api-keys.ts'
import { accountFeature } from '#server/accounts/routes.ts'
import { landingFeature } from '#server/landing/landing.ts'
import { aiFeature } from '#server/ai/routes.ts'
import { companyFeature } from '#server/companies/companies.ts'
import { contactFeature } from '#server/contacts/contacts.ts'
import { syncFeature } from '#server/sync/sync.ts'
import { noteFeature } from '#server/notes/notes.ts'
import { dealFeature } from '#server/deals/deals.ts'
import { taskFeature } from '#server/tasks/tasks.ts'
import { fileFeature } from '#server/files/files.ts'
import { importFeature } from '#server/imports/imports.ts'
import { outboxFeature } from '#server/outbox/outbox.ts'
import { otherCalendarFeature } from '#server/other-calendars/other-calendars.ts'
import { bookingLinkFeature } from '#server/booking-links/booking-links.ts'
import { bookingFeature } from '#server/bookings/bookings.ts'
import { leadFormFeature } from '#server/lead-forms/lead-forms.ts'
import { leadFeature } from '#server/leads/leads.ts'
import { searchFeature } from '#server/search/search.ts'
import { assistantFeature } from '#server/assistant/assistant.ts'
import { mcpFeature } from '#server/mcp/mcp.ts'
import { dashboardFeature } from '#server/dashboard/dashboard.ts'
import { viewFeature } from '#server/views/views.ts'
import { webhookFeature } from '#server/webhooks/webhooks.ts'
import { changeFeature } from '#server/changes/routes.ts'
import { eventFeature } from '#server/events/routes.ts'
import { takeoutFeature } from '#server/takeout/takeout.ts'
import type { TakeoutTable } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import type { PublicPage } from '#server/platform/http/public-pages.ts'
import type { Screen } from '#server/platform/http/screens.ts'
import type { RecordKind } from '#server/platform/records/kind.ts'

/** All features. A feature may import only the features above it. */
export const features: readonly Feature[] = [
  apiKeyFeature,
  apiDocsFeature,
  accountFeature,
  landingFeature,
  aiFeature,
  companyFeature,
  contactFeature,
  syncFeature,
  noteFeature,
  dealFeature,
  taskFeature,
  fileFeature,
  importFeature,
  outboxFeature,
  otherCalendarFeature,
  bookingLinkFeature,
  bookingFeature,
  leadFeature,
  leadFormFeature,
  searchFeature,
  assistantFeature,
  mcpFeature,
  dashboardFeature,
  viewFeature,
  webhookFeature,
  changeFeature,
  eventFeature,
  takeoutFeature,
]

/** The screens of all features. The server sends the application's document at their addresses. */
export const screens: readonly Screen[] = features.flatMap((feature) => feature.webScreens ?? [])

export const publicPages: readonly PublicPage[] = features.flatMap((feature) => feature.publicPages ?? [])

export const kinds: readonly RecordKind[] = features.flatMap((feature) => feature.kinds ?? [])

/** All tables in the download of everything: those of the record kinds, other tables whose rows can be in the trash, and further tables. */
export const takeoutTables: readonly TakeoutTable[] = features.flatMap((feature) => [
  ...(feature.kinds ?? []).map((kind) => ({ table: kind.table, name: kind.plural, kind })),
  ...(feature.trashTables ?? []).map(({ table }) => ({ table, name: table })),
  ...(feature.takeoutTables ?? []),
])
