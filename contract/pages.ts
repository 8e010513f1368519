/**
 * Given to a public page, which returns the whole document as HTML. `styles` and `scripts` are addresses of files of the page,
 * `preloads` are files of the application that the page's script fetches once the browser is idle.
 */
export type PageFrame = { nonce: string; styles: string[]; scripts: string[]; preloads: string[] }

/** `address` is the public origin, such as `https://foyer.example`; `year` is shown in the copyright notice. */
export type LandingView = { year: number; address: string }

export type PublicPages = {
  landing: (view: LandingView, frame: PageFrame) => string
  notFound: (frame: PageFrame) => string
}
