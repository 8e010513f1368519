import { accountRoutes } from './accounts.ts'
import { accountSettingsRoutes } from './accountSettings.ts'
import { aiEndpointRoutes, aiRoutes } from './ai.ts'
import { analysisFunctionRoutes, chatFunctionRoutes, imageFunctionRoutes, noteFunctionRoutes } from './aiFunctions.ts'
import { conversationRoutes, messageRoutes } from './assistant.ts'
import { apiKeyRoutes } from './apiKeys.ts'
import { bookingLinkRoutes } from './bookingLinks.ts'
import { bookingRoutes } from './bookings.ts'
import { calendarFeedRoutes, publicCalendarFeedRoutes } from './calendarFeed.ts'
import { changeRoutes } from './changes.ts'
import { companyRoutes } from './companies.ts'
import { companyNameRoutes } from './companyNames.ts'
import { contactRoutes } from './contacts.ts'
import { crmConnectionRoutes, syncFunctionRoutes } from './crmConnections.ts'
import { dashboardRoutes } from './dashboard.ts'
import { dealRoutes } from './deals.ts'
import { duplicateRoutes } from './duplicates.ts'
import { eventRoutes } from './events.ts'
import { fileSelectionRoutes } from './fileSelection.ts'
import { fileRoutes } from './files.ts'
import { folderRoutes } from './folders.ts'
import { healthRoutes } from './health.ts'
import { importFunctionRoutes, importRoutes } from './imports.ts'
import { leadFormRoutes } from './leadForms.ts'
import { messageFileRoutes } from './messageFiles.ts'
import { leadRoutes } from './leads.ts'
import { noteRoutes } from './notes.ts'
import { busyTimeRoutes, otherCalendarRoutes } from './otherCalendars.ts'
import { outboxRoutes } from './outbox.ts'
import { proposalRoutes } from './proposals.ts'
import { publicBookingRoutes } from './publicBookings.ts'
import { zoneChangeRoutes } from './zoneChanges.ts'
import { searchRoutes } from './search.ts'
import { storageRoutes } from './storage.ts'
import { publicFormRoutes, submissionRoutes } from './submissions.ts'
import { takeoutRoutes } from './takeout.ts'
import { taskRoutes } from './tasks.ts'
import { fileFunctionRoutes, uploadRoutes } from './uploads.ts'
import { viewRoutes } from './views.ts'
import { webhookRoutes } from './webhooks.ts'
import type { Route } from './route.ts'

/** All routes, for the tests that call every route. A test checks that the server has exactly these routes. */
export const allRoutes: Route[] = [
  healthRoutes,
  accountRoutes,
  accountSettingsRoutes,
  apiKeyRoutes,
  webhookRoutes,
  aiRoutes,
  aiEndpointRoutes,
  companyRoutes,
  contactRoutes,
  companyNameRoutes,
  crmConnectionRoutes,
  syncFunctionRoutes,
  duplicateRoutes,
  noteRoutes,
  noteFunctionRoutes,
  dealRoutes,
  taskRoutes,
  bookingLinkRoutes,
  bookingRoutes,
  publicBookingRoutes,
  otherCalendarRoutes,
  busyTimeRoutes,
  zoneChangeRoutes,
  calendarFeedRoutes,
  publicCalendarFeedRoutes,
  outboxRoutes,
  folderRoutes,
  fileRoutes,
  fileSelectionRoutes,
  uploadRoutes,
  storageRoutes,
  fileFunctionRoutes,
  importRoutes,
  importFunctionRoutes,
  leadRoutes,
  analysisFunctionRoutes,
  imageFunctionRoutes,
  leadFormRoutes,
  submissionRoutes,
  publicFormRoutes,
  searchRoutes,
  conversationRoutes,
  proposalRoutes,
  messageRoutes,
  messageFileRoutes,
  chatFunctionRoutes,
  dashboardRoutes,
  viewRoutes,
  changeRoutes,
  eventRoutes,
  takeoutRoutes,
].flatMap((routes) => Object.values<Route>(routes))
