/** `mailto:` with what a mail program takes for an address only. */
export const mailLink = (email: string): string => `mailto:${encodeURI(email).replaceAll(/[?&#]/g, encodeURIComponent)}`

/** `tel:` with the digits of a number as a person wrote it; "ext. 12" is dialled after the answer. */
export function phoneLink(phone: string): string {
  const [number = '', extension] = phone.split(/\s*(?:ext\.?|x|#)\s*(?=\d+$)/i)
  const digits = number.replaceAll(/[^\d+*]/g, '')
  return `tel:${digits}${extension ? `;ext=${extension}` : ''}`
}

/** The number to reach somebody at: the mobile's when there is no other. */
export const numberOf = ({ phone, mobile_phone }: { phone: string; mobile_phone: string }): string => phone || mobile_phone

/** "Imara Vantongeren". */
export const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`.trim()
