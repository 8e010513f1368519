import ipaddr from 'ipaddr.js'

/** The addresses of IPv6 that are given out for the internet; all others are special (RFC 4291, IANA). */
const globalIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local, shared (CGNAT), multicast and reserved addresses do
 * not, nor do those of IPv6 that stand for an IPv4 address: mapped ones, NAT64, 6to4 and Teredo.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalIpv6)
}
