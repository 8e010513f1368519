/** The path of the public page of a booking link. */
export const getPublicPath = (slug: string): string => `/book/${slug}`

/** The complete address of the public page, which users send to visitors. */
export const getPublicAddress = (slug: string): string => `${location.origin}${getPublicPath(slug)}`

/** Returns the HTML with which another website shows the public page. */
export const getEmbedCode = (slug: string): string => `<script src="${location.origin}/embed/book.js" data-book="${slug}" async></script>`
