import type { FormField } from './formFields.ts'

/**
 * What the HTML document of a public page contains in addition to the content. `nonce` is the nonce of the content security policy.
 * `styles` and `scripts` are the URLs of the page's files. `prefetchUrls` are the URLs of the application's files, which the page's script
 * fetches when the browser is idle.
 */
export type PageResources = { nonce: string; styles: string[]; scripts: string[]; prefetchUrls: string[] }

/** The content of the landing page. `address` is the public origin, such as `https://foyer.example`; the copyright notice shows `year`. */
export type LandingContent = { year: number; address: string }

/**
 * The content of a public form. `missing`: there is no such form, or it is not active; then the other parts are empty. `closed`: it takes no
 * more answers. `sent`: the page is the response to an answer that was received. `fields` begins with the fixed ones. `values`, `messages`
 * and `problem` are for an answer that was refused. `parameters` are those in the address, which fill fields with the same name.
 */
export type FormContent = {
  state: 'open' | 'closed' | 'sent' | 'missing'
  id: string
  address: string
  path: string
  title: string
  description: string
  successMessage: string
  redirectUrl: string
  fields: readonly FormField[]
  token: string
  challenge: string
  values: Readonly<Record<string, readonly string[]>>
  messages: Readonly<Record<string, string>>
  problem: string
  isEmbedded: boolean
}

/** The names of the public pages, and the type of the content that the server passes to each page. */
export type PublicContents = { landing: LandingContent; notFound: null; form: FormContent }

/** For each public page, the function that returns its complete HTML document. */
export type PublicPages = { [Name in keyof PublicContents]: (content: PublicContents[Name], resources: PageResources) => string }

/**
 * What the document of a signed-in screen contains before the application has started. `styles` is CSS. `html` is the frame with the
 * placeholders of the screen; the server replaces the word NONCE in it by the nonce of the response. `firstRequests` are the addresses of
 * the API that the screen requests first.
 */
export type Skeleton = { title: string; styles: string; html: string; firstRequests: readonly string[] }

/** Returns the skeleton of the signed-in screen at a URL without its origin, such as `/crm/contacts?sort=name`. */
export type FindSkeleton = (url: string) => Skeleton
