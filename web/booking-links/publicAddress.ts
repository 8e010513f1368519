import { isLive } from '#contract/liveFeatures.ts'

/** Whether visitors can open the page of a booking link. */
export const isPublicPageLive = isLive('bookings')

/** The path of the public page of a booking link. */
export const getPublicPath = (slug: string): string => `/book/${slug}`

/** The complete address of the public page, which users send to visitors. */
export const getPublicAddress = (slug: string): string => `${location.origin}${getPublicPath(slug)}`
