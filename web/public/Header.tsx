import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'

/** The top of a page for strangers: the name, which leads home, and the page's own links. */
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
