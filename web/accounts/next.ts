/** Where to go after signing in: a path of ours, whatever the address said. */
export function checkedNext(next: string | undefined, origin = location.origin): string {
  const home = '/dashboard'
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return home
  const url = new URL(next, origin)
  if (url.origin !== origin || /^\/(\/|auth|$)/.test(url.pathname)) return home // `//` would lead to another host
  return url.pathname + url.search + url.hash
}
