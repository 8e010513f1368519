import type { ReactNode } from 'react'
import { logo } from '#web/brand/drawings.ts'

/** The header of every public page: the logo and name with a link to the landing page, then the links of the page. */
export function Header({ children }: { children?: ReactNode }) {
  return (
    <header className="width header">
      <a className="brand" href="/">
        <Logo />
        Foyer
      </a>
      {children}
    </header>
  )
}

/** The logo in the colour of the surrounding text. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" fill="currentColor" aria-hidden="true">
      <path d={logo.frame} />
      <path d={logo.door} fillOpacity={logo.doorOpacity} />
    </svg>
  )
}
