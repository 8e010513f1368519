import { aiEndpointRoutes, aiRoutes } from '#contract/ai.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { describeConnection, saveConnection } from './connections.ts'
import { deleteConnection } from './connections.store.ts'
import { listModels, testConnection } from './endpoints.ts'
import { readMonth } from './usage.store.ts'
import { isLimited } from './used-connection.ts'

export const aiFeature: Feature = {
  mount: mountAi,
  takeoutTables: [{ table: 'ai_usage', name: 'ai_usage' }],
}

function mountAi(router: Router, context: AppContext): void {
  const { database, now, settings } = context
  mount(router, aiRoutes, {
    get: ({ caller }) => describeConnection(context, caller.owner),
    save: async ({ caller, body }) => {
      await saveConnection(context, caller.owner, body)
      return describeConnection(context, caller.owner)
    },
    remove: ({ caller }) => database.transaction(caller, 'Removed the AI connection', () => deleteConnection(caller.owner)),
    usage: async ({ caller }) => {
      const [month, hasLimit] = await Promise.all([
        database.read(callerFor(caller.owner), () => readMonth(caller.owner, now())),
        isLimited(context, caller.owner),
      ])
      if (!month) throw new Error('The usage could not be read')
      const { tokens_today, tokens_today_under_limit, ...sums } = month
      const tokensPerDay = hasLimit ? (settings.ai.maxTokensPerDay ?? null) : null
      return { ...sums, tokens_today: tokensPerDay === null ? tokens_today : tokens_today_under_limit, tokens_per_day: tokensPerDay }
    },
  })
  mount(router, aiEndpointRoutes, {
    models: ({ caller, body }) => listModels(context, caller.owner, body),
    test: ({ caller, body }) => testConnection(context, caller.owner, body),
    local: async () => {
      const servers = await context.ai.findLocalServers()
      return { servers: servers.map(({ baseUrl, ...server }) => ({ ...server, base_url: baseUrl })) }
    },
  })
}
