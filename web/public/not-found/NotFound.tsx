import type { PageFrame } from '#contract/pages.ts'
import { Document } from '../Document.tsx'
import { Header } from '../Header.tsx'

/** The page of every address that leads nowhere. */
export function NotFound({ frame }: { frame: PageFrame }) {
  return (
    <Document title="Page not found - Foyer" frame={frame} head={<meta name="robots" content="noindex" />}>
      <Header />
      <main id="content" className="not-found" tabIndex={-1}>
        <DoorToNowhere />
        <h1>Oops! Page not found</h1>
        <p>There is no room behind this door. The address may be mistyped, or what was here has been deleted.</p>
        <a className="button button-primary button-large" href="/">
          Back to home
        </a>
      </main>
    </Document>
  )
}

function DoorToNowhere() {
  return (
    <svg className="nowhere" viewBox="0 0 160 120" aria-hidden="true">
      <path d="M14 108h132" />
      <path d="M50 108V58a30 30 0 0 1 60 0v50" />
      <path className="reveal" d="M58 108V58a22 22 0 0 1 44 0v50" />
      <path className="leaf" d="M58 46l23 10c2 1 3 2.5 3 4.5V114c0 1.5-1.5 2.5-3 2l-23-8z" />
      <path className="leaf" d="M77 85v6" />
    </svg>
  )
}
