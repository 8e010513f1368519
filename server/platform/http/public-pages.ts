import type { FastifyRequest } from 'fastify'
import type { PublicContents } from '#contract/pages.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Visitors } from './visitors/visitors.ts'
import type { Pages } from './pages.ts'

/** The services that a public page can use to find its content. */
export type PageServices = {
  database: Database
  /** The public origin. */
  address: string
  now: () => Date
  /** Makes the token of a page in which visitors write. */
  visitors: Pick<Visitors, 'openPage'>
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
}

/**
 * The source files of a page. The server does not start if one is missing in the build. `prefetchModules` are modules of the application,
 * which the page's script fetches when the browser is idle.
 */
export type PageFiles = { style: string; script?: string; prefetchModules?: readonly string[] }

/** What a page is allowed in addition to the content security policy of all documents. */
export type PagePolicy = {
  /** Origins that are added to directives of the content security policy. */
  sources?: Partial<
    Record<'script-src' | 'style-src' | 'img-src' | 'font-src' | 'connect-src' | 'frame-src' | 'form-action', readonly string[]>
  >
  /** Origins that may show the page in a frame. `*` stands for all origins; the default is none. */
  frameAncestors?: readonly string[]
}

type PageDefinition<Name extends keyof PublicContents> = {
  /** The function of `web/public/pages.tsx` that renders the page. */
  name: Name
  /** A parameter is in braces, as in `/book/{page}`. The page with the path `*` is the not-found page. */
  path: `/${string}` | '*'
  files: PageFiles
  policy?: PagePolicy
  /** Returns an address to redirect to; undefined to show the page. */
  redirect?: (request: FastifyRequest, services: PageServices) => Promise<string | undefined>
  /** Returns the content of the page; undefined when the address does not exist. */
  loadContent: (request: FastifyRequest, services: PageServices) => Promise<PublicContents[Name] | undefined>
}

/** A page that needs no session, as a feature registers it. */
export type PublicPage = Omit<PageDefinition<keyof PublicContents>, 'loadContent'> & {
  /** Finds the content. Returns the function that renders it for a nonce; undefined when the address does not exist. */
  load: (request: FastifyRequest, services: PageServices, pages: Pages) => Promise<((nonce: string) => Promise<string>) | undefined>
}

/** Creates a public page whose content and renderer have the same type. */
export function definePublicPage<Name extends keyof PublicContents>({ loadContent, ...page }: PageDefinition<Name>): PublicPage {
  return {
    ...page,
    load: async (request, services, pages) => {
      const content = await loadContent(request, services)
      return content === undefined ? undefined : (nonce) => pages.publicPage(page.name, content, nonce)
    },
  }
}
