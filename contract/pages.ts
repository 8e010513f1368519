/**
 * The surroundings of a public page, whose function returns the complete HTML document. `styles` and `scripts` are URLs of files of the
 * page; `preloads` are URLs of files of the application, which the page's script fetches when the browser is idle.
 */
export type PageFrame = { nonce: string; styles: string[]; scripts: string[]; preloads: string[] }

/** `address` is the public origin, such as `https://foyer.example`; `year` appears in the copyright notice. */
export type LandingView = { year: number; address: string }

/** The names of the public pages, and the content that the server passes to each. */
export type PublicViews = { landing: LandingView; notFound: null }

export type PublicPages = { [Name in keyof PublicViews]: (view: PublicViews[Name], frame: PageFrame) => string }
