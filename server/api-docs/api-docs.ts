// The page about the API: what other programs can call with an API key, generated from the contract.
import type { ApiDocsContent } from '#contract/pages.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { leadRoutes } from '#contract/leads.ts'
import { scopesOf } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { webhookEvents } from '#contract/webhooks.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { definePublicPage } from '#server/platform/http/public-pages.ts'
import { toCommand } from './command.ts'
import { describeError, describeRoute } from './describe-route.ts'

export const apiDocsFeature: Feature = {
  publicPages: [
    definePublicPage({
      name: 'apiDocs',
      path: '/api-docs',
      files: { style: 'web/public/api-docs/api-docs.css' },
      loadContent: async (_request, { address }) => describeApi(address),
    }),
  ],
}

/** A cache of the content by the server's public origin, because describing all routes takes too long for a request. */
const contents = new Map<string, ApiDocsContent>()

function describeApi(origin: string): ApiDocsContent {
  const known = contents.get(origin)
  if (known) return known
  const routes = allRoutes.filter((route) => scopesOf(route).length > 0)
  const groups = [...Map.groupBy(routes, ({ path }) => groupOf(path))].map(([title, groupRoutes]) => ({
    id: title.toLowerCase().replaceAll(' ', '-'),
    title,
    routes: groupRoutes.map((route) => describeRoute(route, origin)),
  }))
  const content = {
    origin,
    leadCommand: toCommand(leadRoutes.send, origin),
    groups: groups.toSorted((one, other) => Number(other.title === 'Functions') - Number(one.title === 'Functions')),
    errors: commonErrors.map(describeError),
    events: webhookEvents,
    webhook: JSON.stringify(exampleWebhook, null, 2),
    mcp: JSON.stringify(
      { mcpServers: { foyer: { type: 'http', url: `${origin}/mcp`, headers: { 'x-api-key': 'YOUR_API_KEY' } } } },
      null,
      2,
    ),
  }
  contents.set(origin, content)
  return content
}

/** The errors that every route may answer with. */
const commonErrors: readonly ErrorCode[] = ['key_unknown', 'scope_missing', 'not_found', 'invalid', 'too_many_requests', 'busy', 'internal']

const exampleWebhook = {
  type: 'contact.updated',
  timestamp: '2026-11-23T10:00:00.000Z',
  data: {
    id: '01930000-0000-7000-8000-000000000001',
    changes: { title: { before: '', after: 'Engineer' } },
    change: '01930000-0000-7000-8000-000000000002',
    actor: 'api_key:01930000-0000-7000-8000-000000000003',
    actor_name: 'Website',
  },
}

/** Returns the title of the group of a path: "Booking links" for `/api/booking-links/{id}`. */
function groupOf(path: string): string {
  if (path.startsWith('/functions/')) return 'Functions'
  const name = (path.split('/')[2] ?? '').replaceAll('-', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
