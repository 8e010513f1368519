/** `mailto:` with what a mail program takes for an address only. */
export const mailLink = (email: string): string => `mailto:${encodeURI(email).replaceAll(/[?&#]/g, encodeURIComponent)}`

/** `tel:` with the digits of a number as a person wrote it; "ext. 12" is dialled after the answer. */
export function phoneLink(phone: string): string {
  const [number = '', extension] = phone.split(/\s*(?:ext\.?|x|#)\s*(?=\d+$)/i)
  const digits = number.replaceAll(/[^\d+*]/g, '')
  return `tel:${digits}${extension ? `;ext=${extension}` : ''}`
}
