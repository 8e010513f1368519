import type { PageResources } from '#contract/pages.ts'
import { openDoorShapes } from '#web/brand/drawings.ts'
import { notFound } from '#web/brand/notFound.ts'
import { Document } from '../Document.tsx'
import { Header } from '../Header.tsx'

/** The public page for unknown addresses. */
export function NotFound({ resources }: { resources: PageResources }) {
  return (
    <Document title={notFound.title} resources={resources} head={<meta name="robots" content="noindex" />}>
      <Header />
      <main id="content" className="not-found" tabIndex={-1}>
        <DoorDrawing />
        <h1>{notFound.heading}</h1>
        <p>{notFound.text}</p>
        <a className="button button-primary button-large" href="/">
          {notFound.linkLabel}
        </a>
      </main>
    </Document>
  )
}

function DoorDrawing() {
  return (
    <svg className="door-drawing" viewBox="0 0 160 120" aria-hidden="true">
      <path d={openDoorShapes.ground} />
      <path d={openDoorShapes.frame} />
      <path className="inset" d={openDoorShapes.inset} />
      <path className="opened-door" d={openDoorShapes.door} />
      <path className="opened-door" d={openDoorShapes.handle} />
    </svg>
  )
}
