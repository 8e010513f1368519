import type { LandingView, PageFrame } from '#contract/pages.ts'
import { Document } from '../Document.tsx'
import { CallToAction } from './CallToAction.tsx'
import { Features } from './Features.tsx'
import { Footer } from './Footer.tsx'
import { Hero } from './Hero.tsx'
import { LandingHead } from './LandingHead.tsx'
import { LandingHeader } from './LandingHeader.tsx'

/** The first page a stranger sees: what Foyer is, a picture of it, what it does, the way in. */
export function Landing({ view, frame }: { view: LandingView; frame: PageFrame }) {
  return (
    <Document
      title="Foyer - the free workspace where your business meets its customers"
      frame={frame}
      head={<LandingHead address={view.address} nonce={frame.nonce} />}
    >
      <LandingHeader />
      <main id="content" tabIndex={-1}>
        <Hero />
        <Features />
        <CallToAction />
      </main>
      <Footer year={view.year} />
    </Document>
  )
}
