import type { ReactNode } from 'react'
import classes from './ExternalLink.module.css'

/** A link that opens in a new tab. If its text is not its address, the address follows, so that nobody is misled. */
export function ExternalLink({ href, address, children }: { href: string; address: string | undefined; children: ReactNode }) {
  const opensPage = /^https?:/i.test(href)
  return (
    <>
      <a className="link" href={href} title={href} rel="noopener noreferrer nofollow" target={opensPage ? '_blank' : undefined}>
        {children}
      </a>
      {address !== undefined && <span className={classes['address']}> ({address})</span>}
    </>
  )
}
