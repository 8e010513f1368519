import type { FastifyRequest } from 'fastify'
import type { Problem } from '#contract/errors.ts'
import type { PublicContents } from '#contract/pages.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { PageTemplate } from './page-template.ts'
import type { Pages } from './pages.ts'
import type { VisitorPage } from './visitors/page-token.ts'
import type { Visitors } from './visitors/visitors.ts'

/** The services that a public page can use to find its content. */
export type PageServices = {
  database: Database
  /** The public origin. */
  address: string
  now: () => Date
  installationKey: string
  /** Whether a mail server is configured. */
  sendsMail: boolean
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
  /** Origins that may show the page in a frame. `*` stands for all origins. By default no origin may. */
  frameAncestors?: readonly string[]
}

/** The request of the API that does what a form of a browser without scripts asks for. `key` is its Idempotency-Key. */
export type FormCall = { url: `/api/${string}`; key: string; body: object }
/**
 * A form that a browser without scripts has sent to its page. `problem`: the error of its request of the API; undefined if it succeeded.
 * `response`: the body of the response of the API; undefined if the request failed or the response has no body.
 */
export type SentForm = { form: FormData; problem: Problem | undefined; response: unknown }

/** How a page accepts forms of browsers without scripts. */
export type PageForms = {
  /** The maximum size of a form. */
  maxBytes: number
  /** Returns the request of the API that does the same as the form; undefined if the form cannot come from the page. */
  toCall: (form: FormData, request: FastifyRequest) => Promise<FormCall | undefined>
  /**
   * Returns the address that shows what a form without a problem has done. The browser is redirected to this address, so that a reload does
   * not send the form again. Without an address the page itself is the response.
   */
  findOutcomeAddress?: (sentForm: SentForm, request: FastifyRequest) => string | undefined
}

/**
 * A view of a page in which a visitor can write. `pageVersion`: a text of the feature, such as the version of the page's fields, which comes
 * back with what the visitor sends. `token`: an unused token of an earlier view, to use instead of a new one if it has the same version.
 */
export type OpenedVisit = { page: VisitorPage; pageVersion?: string; token?: string }

/**
 * What a page shows to every visitor of its address, made from rows of one owner. `owner` and `visit` are missing when there is nothing at
 * the address.
 */
type CachedContent<Content> = { content: Content; owner?: string; visit?: OpenedVisit }

type PageDefinition<Name extends keyof PublicContents> = {
  /** The function of `web/public/pages.tsx` that renders the page. */
  name: Name
  /** A parameter is in braces, as in `/book/{page}`. The page with the path `*` is the not-found page. */
  path: `/${string}` | '*'
  files: PageFiles
  policy?: PagePolicy
  /** Returns an address to redirect to; undefined to show the page. */
  redirect?: (request: FastifyRequest, services: PageServices) => Promise<string | undefined>
  forms?: PageForms
  /** Returns the status of the response. The default is 200. */
  statusOf?: (content: PublicContents[Name]) => number
}

type Load<Loaded> = (request: FastifyRequest, services: PageServices, sentForm?: SentForm) => Promise<Loaded>

/** A page that needs no session, as a feature registers it. */
export type PublicPage = Omit<PageDefinition<keyof PublicContents>, 'statusOf'> & {
  /** Whether the page depends only on its address and on rows of its owner, so that it can be kept in memory for other visitors. */
  isCached: boolean
  /** Finds the content and renders it; undefined when the address does not exist. */
  load: (request: FastifyRequest, services: PageServices, pages: Pages, sentForm?: SentForm) => Promise<LoadedPage | undefined>
}

export type LoadedPage = { template: PageTemplate; status: number; owner?: string; visit?: OpenedVisit }

/**
 * Creates a public page whose content and renderer have the same type. `loadContent` returns undefined when the address does not exist.
 * `sentForm`: the form to which the page is the response.
 */
export function definePublicPage<Name extends keyof PublicContents>({
  loadContent,
  statusOf = () => 200,
  ...page
}: PageDefinition<Name> & { loadContent: Load<PublicContents[Name] | undefined> }): PublicPage {
  return {
    ...page,
    isCached: false,
    load: async (request, services, pages, sentForm) => {
      const content = await loadContent(request, services, sentForm)
      if (content === undefined) return undefined
      return { template: await pages.publicPage(page.name, content), status: statusOf(content) }
    },
  }
}

/**
 * Creates a public page that many visitors open. `loadPage` may use only the address of the request, the rows of one owner and the time,
 * because its result is kept for other visitors until the owner changes something, for at most a second.
 */
export function defineCachedPage<Name extends keyof PublicContents>({
  loadPage,
  statusOf = () => 200,
  ...page
}: PageDefinition<Name> & { loadPage: Load<CachedContent<PublicContents[Name]>> }): PublicPage {
  return {
    ...page,
    isCached: true,
    load: async (request, services, pages, sentForm) => {
      const { content, ...ownerAndVisit } = await loadPage(request, services, sentForm)
      return { template: await pages.publicPage(page.name, content), status: statusOf(content), ...ownerAndVisit }
    },
  }
}
