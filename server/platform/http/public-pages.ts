import type { FastifyRequest } from 'fastify'
import type { PublicViews } from '#contract/pages.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Pages } from './pages.ts'

/** The services that a public page can use to find its content. */
export type PageServices = {
  database: Database
  /** The public origin. */
  address: string
  now: () => Date
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
}

/** The source files of a page. The server does not start if one is missing in the build. `preloads` are modules of the application. */
export type PageFiles = { style: string; script?: string; preloads?: readonly string[] }

/** The exceptions of a page from the policy of all documents. */
export type PagePolicy = {
  /** Sources that are added to directives of the content security policy. */
  sources?: Partial<
    Record<'script-src' | 'style-src' | 'img-src' | 'font-src' | 'connect-src' | 'frame-src' | 'form-action', readonly string[]>
  >
  /** Origins that may show the page in a frame, `*` for all, none by default. */
  frameAncestors?: readonly string[]
}

type Definition<Name extends keyof PublicViews> = {
  /** The function of `web/public/pages.tsx` that renders the page. */
  name: Name
  /** Parameters are in braces, as in `/book/{page}`. `*` is the not-found page. */
  path: `/${string}` | '*'
  files: PageFiles
  policy?: PagePolicy
  /** Returns an address to redirect to; undefined to show the page. */
  redirect?: (request: FastifyRequest, services: PageServices) => Promise<string | undefined>
  /** Returns the content of the page; undefined when the address does not exist. */
  view: (request: FastifyRequest, services: PageServices) => Promise<PublicViews[Name] | undefined>
}

/** A page that needs no session, as a feature registers it. */
export type PublicPage = Omit<Definition<keyof PublicViews>, 'view'> & {
  /** Finds the content and returns the function that renders it for a nonce. */
  open: (request: FastifyRequest, services: PageServices, pages: Pages) => Promise<((nonce: string) => Promise<string>) | undefined>
}

export function definePublicPage<Name extends keyof PublicViews>({ view, ...page }: Definition<Name>): PublicPage {
  return {
    ...page,
    open: async (request, services, pages) => {
      const content = await view(request, services)
      return content === undefined ? undefined : (nonce) => pages.publicPage(page.name, content, nonce)
    },
  }
}
