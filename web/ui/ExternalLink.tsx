import type { ReactNode } from 'react'
import classes from './ExternalLink.module.css'

/**
 * A link to a website, an email address or a phone number. Websites open in a new tab. If the text of the link is not its address,
 * `address` is shown after the link, so that the text cannot mislead users.
 */
export function ExternalLink({ href, address, children }: { href: string; address: string | undefined; children: ReactNode }) {
  const opensWebsite = /^https?:/i.test(href)
  return (
    <>
      <a className="link" href={href} title={href} rel="noopener noreferrer nofollow" target={opensWebsite ? '_blank' : undefined}>
        {children}
      </a>
      {address !== undefined && <span className={classes['address']}> ({address})</span>}
    </>
  )
}
