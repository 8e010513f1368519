import * as z from 'zod/mini'

/** The maximum length of the last part of a public address, in characters. */
export const maxSlugLength = 60

/**
 * Returns the last part of a public address for a title: letters without accents in lower case, and one hyphen for each run of other
 * characters. Returns an empty text if no character is left, as for a title in Japanese.
 */
export const toSlug = (title: string): string =>
  title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replaceAll(/^-+|-+$/g, '')

/** The last part of a public address as a user types it. It may be empty. */
export const Slug = z.string().check(z.maxLength(300, 'At most 300 characters'), z.overwrite(toSlug))
