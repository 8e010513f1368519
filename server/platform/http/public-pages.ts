import type { FastifyRequest } from 'fastify'
import type { PublicViews } from '#contract/pages.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Pages } from './pages.ts'

/** What a public page can use to find its content. */
export type PageServices = {
  database: Database
  /** The public origin. */
  address: string
  now: () => Date
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
}

/** Source files of a page, each named in the build's configuration: a missing one stops the start. `preloads` are modules of the application. */
export type PageFiles = { style: string; script?: string; preloads?: readonly string[] }

/** What a page may do beyond the policy of all documents. */
export type PagePolicy = {
  /** Sources that are added to directives of the content security policy. */
  sources?: Partial<
    Record<'script-src' | 'style-src' | 'img-src' | 'font-src' | 'connect-src' | 'frame-src' | 'form-action', readonly string[]>
  >
  /** Origins that may show the page in a frame, `*` for all; without it none may. */
  frameAncestors?: readonly string[]
}

type Definition<Name extends keyof PublicViews> = {
  /** The function of `web/public/pages.tsx` that renders the page. */
  name: Name
  /** Parameters in braces: `/book/{page}`. `*` is the page of all unknown addresses. */
  path: `/${string}` | '*'
  files: PageFiles
  policy?: PagePolicy
  /** An address to go to instead of the page. */
  redirect?: (request: FastifyRequest, services: PageServices) => Promise<string | undefined>
  /** The content of the page; undefined when there is nothing at this address. */
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
