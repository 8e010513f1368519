import interFontAddress from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import type { ReactNode } from 'react'
import type { PageResources } from '#contract/pages.ts'
import { favicon } from '#web/brand/drawings.ts'

type DocumentProps = { title: string; resources: PageResources; head: ReactNode; children: ReactNode }

/** The HTML document of a public page. `head` contains additional head elements. `children` must contain `<main id="content">`. */
export function Document({ title, resources, head, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta property="csp-nonce" nonce={resources.nonce} />
        <title>{title}</title>
        {/* the font is preloaded, because the browser does not use a font that arrives late (font-display: optional) */}
        <link rel="preload" href={interFontAddress} as="font" type="font/woff2" crossOrigin="anonymous" />
        {resources.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="icon" href={favicon} />
        {head}
        {resources.scripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
      </head>
      <body data-prefetch={resources.prefetchUrls.join(' ') || undefined}>
        <a className="skip" href="#content">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  )
}
