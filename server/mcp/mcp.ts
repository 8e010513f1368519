// MCP: AI programs, such as assistants on a computer, work in the workspace with an API key (Model Context Protocol, streamable HTTP).
import { defineRoutes } from '#contract/route.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { identify } from '#server/platform/http/identity.ts'

/**
 * The access rule. A key with any of the three scopes may connect: `changes: 'nothing'` allows `read`, and `scope` adds the other two. Each
 * key gets only the tools of its scopes. The rule is not in the contract, because MCP defines the messages.
 */
const { access } = defineRoutes({
  access: { method: 'POST', path: '/mcp', summary: 'MCP', caller: 'user', scope: ['write', 'leads'], changes: 'nothing', example: {} },
})

export const mcpFeature: Feature = {
  mount: (router, context) => {
    router.server.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      exposeHeadRoute: false,
      compress: false, // a response may be a stream of events
      onRequest: async (request) => {
        request.identity = await identify(router, access, request)
      },
      handler: async (request, reply) => {
        const { serve } = await import('./serve.ts') // the library of the protocol needs 15 MB, so it is loaded with the first client
        return serve(router, context, request, reply)
      },
    })
  },
}
