/** Node and browsers have it, but the contract is compiled without the types of either. */
declare const URL: { parse: (text: string) => { hostname: string } | null }

/**
 * Returns an email with its domain in ASCII letters, as inputs of browsers send it: "ada@bücher.example" as "ada@xn--bcher-kva.example".
 * Returns another text unchanged.
 */
export function toAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  // a character such as "/" or ":" would end the name of the host
  if (at < 1 || !/[^\0-\x7F]/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return text
  const address = URL.parse(`http://${domain}`)
  return address ? `${text.slice(0, at)}@${address.hostname}` : text
}
