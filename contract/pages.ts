/**
 * What the HTML document of a public page contains in addition to the content. `nonce` is the nonce of the content security policy.
 * `styles` and `scripts` are the URLs of the page's files. `prefetchUrls` are the URLs of the application's files, which the page's script
 * fetches when the browser is idle.
 */
export type PageResources = { nonce: string; styles: string[]; scripts: string[]; prefetchUrls: string[] }

/** The content of the landing page. `address` is the public origin, such as `https://foyer.example`; the copyright notice shows `year`. */
export type LandingContent = { year: number; address: string }

/** The names of the public pages, and the type of the content that the server passes to each page. */
export type PublicContents = { landing: LandingContent; notFound: null }

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
