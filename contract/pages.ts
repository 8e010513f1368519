/**
 * Given to a public page, which returns the whole document as HTML. `styles` and `scripts` are addresses of files of the page,
 * `preloads` are files of the application that the page's script fetches once the browser is idle.
 */
export type PageFrame = { nonce: string; styles: string[]; scripts: string[]; preloads: string[] }

/** `address` is the public origin, such as `https://foyer.example`; `year` is shown in the copyright notice. */
export type LandingView = { year: number; address: string }

/** The public pages by their names, and the content that the server gives to each. */
export type PublicViews = { landing: LandingView; notFound: null }

export type PublicPages = { [Name in keyof PublicViews]: (view: PublicViews[Name], frame: PageFrame) => string }
