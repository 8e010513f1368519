import { IconMail, IconPhone, IconWorld } from '@tabler/icons-react'
import type { Icon } from '#web/lib/features.ts'
import type { External } from '#web/records/kind/kind.ts'

type ExternalLinks = { text: (value: string) => string; href: (value: string) => string; action: string; icon: Icon }

/** How a website, an email and a phone number are shown and opened. */
export const externalLinks: Record<External, ExternalLinks> = {
  website: { text: withoutProtocol, href: (address) => address, action: 'Open website', icon: IconWorld },
  email: { text: (email) => email, href: mailtoLink, action: 'Send email', icon: IconMail },
  phone: { text: (phone) => phone, href: telLink, action: 'Call', icon: IconPhone },
}

/** A website opens in a new tab. */
export const linkTarget = (external: External) => (external === 'website' ? { target: '_blank', rel: 'noreferrer' } : {})

type Values = Partial<Record<External, string>>

/** The entries of a row's menu for the values that are not empty: website, email, phone. */
export const menuLinks = ({ website, email, phone }: Values): { label: string; icon: Icon; href: string }[] => [
  ...menuLink('website', website),
  ...menuLink('email', email),
  ...menuLink('phone', phone),
]

function menuLink(external: External, value: string | undefined) {
  const { action, icon, href } = externalLinks[external]
  return value ? [{ label: action, icon, href: href(value) }] : []
}

/** Encodes what a mail program would read as a header. */
export function mailtoLink(email: string): string {
  return `mailto:${encodeURI(email).replaceAll(/[?&#]/g, encodeURIComponent)}`
}

/** The digits of a number as a person wrote it. The digits after "ext." are dialled after the answer. */
export function telLink(phone: string): string {
  const [number = '', extension] = phone.split(/\s*(?:ext\.?|x|#)\s*(?=\d+$)/i)
  const digits = number.replaceAll(/[^\d+*]/g, '')
  return `tel:${digits}${extension ? `;ext=${extension}` : ''}`
}

/** "example.com" for "https://www.example.com/". */
function withoutProtocol(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
}
