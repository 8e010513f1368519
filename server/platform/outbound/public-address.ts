import ipaddr from 'ipaddr.js'

/** The IPv6 addresses that are assigned for the internet; all others are special (RFC 4291, IANA). */
const globalIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local, shared (CGNAT), multicast and reserved addresses do
 * not. IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4, Teredo) do not either.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(globalIpv6)
}
