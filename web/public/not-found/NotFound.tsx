import type { PageFrame } from '#contract/pages.ts'
import { door } from '#web/brand/door.ts'
import { notFound } from '#web/brand/notFound.ts'
import { Document } from '../Document.tsx'
import { Header } from '../Header.tsx'

/** The page of every address that leads nowhere. */
export function NotFound({ frame }: { frame: PageFrame }) {
  return (
    <Document title={notFound.title} frame={frame} head={<meta name="robots" content="noindex" />}>
      <Header />
      <main id="content" className="not-found" tabIndex={-1}>
        <DoorToNowhere />
        <h1>{notFound.heading}</h1>
        <p>{notFound.text}</p>
        <a className="button button-primary button-large" href="/">
          {notFound.wayOut}
        </a>
      </main>
    </Document>
  )
}

function DoorToNowhere() {
  return (
    <svg className="nowhere" viewBox="0 0 160 120" aria-hidden="true">
      <path d={door.ground} />
      <path d={door.frame} />
      <path className="reveal" d={door.reveal} />
      <path className="leaf" d={door.leaf} />
      <path className="leaf" d={door.handle} />
    </svg>
  )
}
