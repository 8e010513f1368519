import type { FastifyRequest } from 'fastify'
import type { Problem } from '#contract/errors.ts'
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
  /** The installation's key. */
  secret: string
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
  /** Origins that may show the page in a frame. `*` stands for all origins; the default is none. */
  frameAncestors?: readonly string[]
}

/** A request of the API for which a form stands that a browser without scripts has sent. `key` is its Idempotency-Key. */
export type FormCall = { url: `/api/${string}`; key: string; body: object }
/** A form that a browser without scripts has sent to its page, and the response to its request of the API. */
export type SentForm = { form: FormData; problem: Problem | undefined }

/**
 * How a page takes forms of browsers without scripts. `maxBytes`: the maximum size of such a form. `toCall` returns the request of the API
 * that does the same; undefined if the form cannot come from the page.
 */
export type PageForms = { maxBytes: number; toCall: (form: FormData, request: FastifyRequest) => Promise<FormCall | undefined> }

/** Returns the entries of a form by their names, each with all its values, in time that is proportional to their number. */
export function groupEntries(form: FormData): Map<string, (File | string)[]> {
  const groups = new Map<string, (File | string)[]>()
  for (const [name, entry] of form.entries()) {
    const group = groups.get(name)
    if (group) group.push(entry)
    else groups.set(name, [entry])
  }
  return groups
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
  forms?: PageForms
  /** Returns the content of the page; undefined when the address does not exist. `sent`: the form to which the page is the response. */
  loadContent: (request: FastifyRequest, services: PageServices, sent?: SentForm) => Promise<PublicContents[Name] | undefined>
  /** Returns the status of the response. The default is 200. */
  statusOf?: (content: PublicContents[Name]) => number
}

/** A page that needs no session, as a feature registers it. */
export type PublicPage = Omit<PageDefinition<keyof PublicContents>, 'loadContent' | 'statusOf'> & {
  /** Finds the content. Returns the function that renders it for a nonce, and the status; undefined when the address does not exist. */
  load: (request: FastifyRequest, services: PageServices, pages: Pages, sent?: SentForm) => Promise<LoadedPage | undefined>
}

type LoadedPage = { render: (nonce: string) => Promise<string>; status: number }

/** Creates a public page whose content and renderer have the same type. */
export function definePublicPage<Name extends keyof PublicContents>({
  loadContent,
  statusOf = () => 200,
  ...page
}: PageDefinition<Name>): PublicPage {
  return {
    ...page,
    load: async (request, services, pages, sent) => {
      const content = await loadContent(request, services, sent)
      if (content === undefined) return undefined
      return { render: (nonce) => pages.publicPage(page.name, content, nonce), status: statusOf(content) }
    },
  }
}
