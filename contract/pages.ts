/**
 * What the server hands to a page for strangers; the page answers with the whole document as HTML.
 * `styles` and `scripts` are addresses of files of the page, `preloads` are files of the application
 * that the page's script fetches ahead once the browser is idle.
 */
export type PageFrame = { nonce: string; styles: string[]; scripts: string[]; preloads: string[] }

/** `address` is the public origin, such as `https://foyer.example`; `year` stands in the copyright line. */
export type LandingView = { year: number; address: string }

export type PublicPages = {
  landing: (view: LandingView, frame: PageFrame) => string
  notFound: (frame: PageFrame) => string
}
