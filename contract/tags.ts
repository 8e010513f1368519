/**
 * Returns the tags, and after them those of `others` that are new. Case does not count. The database also drops tags that differ only by
 * accents.
 */
export function joinTags(tags: readonly string[], others: readonly string[]): string[] {
  const known = new Set(tags.map((tag) => tag.toLowerCase()))
  return [...tags, ...others.filter((tag) => !known.has(tag.toLowerCase()))]
}
