/**
 * Returns the properties of a link that opens the preview of a file: `<Link {...previewLink(id)}>` or `navigate(previewLink(id))`. With
 * `find`, the preview marks these words and shows the first place where they are.
 */
export const previewLink = (fileId: string, find = '') => ({
  to: '/files/file/$fileId' as const,
  params: { fileId },
  search: find === '' ? {} : { find },
})

/** Parses the URL parameter `find`. */
export const parsePreviewParameters = ({ find }: Record<string, unknown>): { find?: string } =>
  typeof find === 'string' || typeof find === 'number' ? { find: String(find).slice(0, 200) } : {}
