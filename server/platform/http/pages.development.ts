import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createServer, createServerModuleRunner, type Plugin, type ViteDevServer } from 'vite'
import type { ModuleRunner } from 'vite/module-runner'
import type { FastifyInstance } from 'fastify'
import type { PublicPages } from '#contract/pages.ts'
import { createTemplate } from './page-template.ts'
import type { Pages } from './pages.ts'
import type { PublicPage } from './public-pages.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Creates documents that load their scripts and styles from source files, which Vite serves in this process. */
export function createDevelopmentPages(publicPages: readonly PublicPage[]): Pages {
  const viteStarted = Promise.withResolvers<{ vite: ViteDevServer; runner: ModuleRunner }>()
  const loadPublicPages = async (): Promise<PublicPages> => {
    const { runner } = await viteStarted.promise
    const { pages }: { pages: PublicPages } = await runner.import('/web/public/pages.tsx')
    return pages
  }
  const files = new Map(publicPages.map((page) => [page.name, page.files]))
  return {
    application: async (url, nonce) => {
      const { vite } = await viteStarted.promise
      const html = await readFile(`${root}web/app.html`, 'utf8')
      return (await vite.transformIndexHtml(url, html)).replaceAll('NONCE', nonce)
    },
    publicPage: async (name, content) => {
      const { style, script } = files.get(name) ?? {}
      const scripts = ['/@vite/client', ...(script ? [`/${script}`] : [])]
      const rendered = await loadPublicPages()
      const resources = { styles: style ? [`/${style}`] : [], scripts, prefetchUrls: [] }
      return createTemplate((parts) => rendered[name](content, { ...resources, ...parts }))
    },
    attach: async (server) => viteStarted.resolve(await startVite(server)),
  }
}

/** Starts Vite in this server. `runner` loads the modules of public pages in this process. */
async function startVite(server: FastifyInstance): Promise<{ vite: ViteDevServer; runner: ModuleRunner }> {
  const vite = await createServer({
    root,
    plugins: [reloadPages(() => runner.clearCache()), waitWithoutWorker],
    server: {
      middlewareMode: true,
      hmr: { server: server.server },
      cors: false, // Vite would also add its CORS headers to our own responses
      watch: { ignored: [`${root}data/**`, `${root}out/**`] }, // the database and the build write files in these folders
      fs: { deny: ['.env', '.env.*', '*.{crt,pem}', '**/.git/**', `${root}data/**`] },
    },
  })
  const { pages } = vite.environments
  if (!pages) throw new Error('vite.config.ts has no environment "pages"')
  const runner = createServerModuleRunner(pages, { hmr: false })
  server.addHook('onRequest', (request, reply, done) => vite.middlewares(request.raw, reply.raw, done))
  // closes the web sockets of open pages; otherwise the server would wait for them when it stops
  server.addHook('preClose', () => vite.close())
  return { vite, runner }
}

/** Unloads the modules of a changed public page and reloads the page in browsers. */
function reloadPages(unloadModules: () => void): Plugin {
  return {
    name: 'foyer:pages',
    hotUpdate({ modules, server }) {
      if (this.environment.name !== 'pages' || modules.length === 0) return
      unloadModules()
      server.environments.client.hot.send({ type: 'full-reload' })
      return []
    },
  }
}

/**
 * When the server restarts, Vite's client waits for it in a worker that is created from a blob. The content security policy forbids such a
 * worker. This plugin makes the client wait without a worker.
 */
const waitWithoutWorker: Plugin = {
  name: 'foyer:wait-without-worker',
  transform: {
    filter: { id: /vite\/dist\/client\/client\.mjs/ },
    handler: (code) => code.replace('typeof SharedWorker === "undefined"', 'true'),
  },
}
