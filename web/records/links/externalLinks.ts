import { IconMail, IconPhone, IconWorld } from '@tabler/icons-react'
import type { Icon } from '#web/lib/features.ts'
import type { ExternalLinkType } from '#web/records/kind/kind.ts'

type ExternalLink = { text: (value: string) => string; href: (value: string) => string; action: string; icon: Icon }

/** How a website, an email address and a phone number are shown and opened. `action` is the label of the menu item. */
export const externalLinks: Record<ExternalLinkType, ExternalLink> = {
  website: { text: shortenUrl, href: (address) => address, action: 'Open website', icon: IconWorld },
  email: { text: (email) => email, href: toMailtoLink, action: 'Send email', icon: IconMail },
  phone: { text: (phone) => phone, href: toTelLink, action: 'Call', icon: IconPhone },
}

/** The attributes of a link. A website opens in a new tab. */
export const getLinkAttributes = (type: ExternalLinkType) => (type === 'website' ? { target: '_blank', rel: 'noreferrer' } : {})

type Values = Partial<Record<ExternalLinkType, string>>

/** The menu items of a row for its website, email address and phone number. An empty value has no menu item. */
export const createMenuLinks = ({ website, email, phone }: Values): { label: string; icon: Icon; href: string }[] => [
  ...menuLink('website', website),
  ...menuLink('email', email),
  ...menuLink('phone', phone),
]

function menuLink(type: ExternalLinkType, value: string | undefined) {
  const { action, icon, href } = externalLinks[type]
  return value ? [{ label: action, icon, href: href(value) }] : []
}

/** Encodes `?`, `&` and `#`, so that an email address cannot add headers to the message. */
export function toMailtoLink(email: string): string {
  return `mailto:${encodeURI(email).replaceAll(/[?&#]/g, encodeURIComponent)}`
}

/**
 * Keeps the digits, `+` and `*` of a phone number, without a "(0)" that is dialled only inside the country. The digits after "ext." become
 * the extension, which is dialled after the call is connected.
 */
export function toTelLink(phone: string): string {
  // splits at "ext.", "x" or "#" before the digits at the end
  const [number = '', extension] = phone.split(/\s*(?:ext\.?|x|#)\s*(?=\d+$)/i)
  const dialled = prefixBeforeUndialledZero.test(number) ? number.replace('(0)', '') : number
  const digits = dialled.replaceAll(/[^\d+*]/g, '')
  return `tel:${digits}${extension ? `;ext=${extension}` : ''}`
}

/**
 * The beginning of an international number whose zero in brackets is not dialled. A number in Italy (39) does not match, because its zero
 * is dialled from other countries too.
 */
const prefixBeforeUndialledZero = /^[\s(]*(?:\+|00)(?![\s(]*39)/

/** Converts "https://www.example.com/" to "example.com". */
function shortenUrl(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
}
