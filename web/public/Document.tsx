import interAddress from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import type { ReactNode } from 'react'
import type { PageFrame } from '#contract/pages.ts'
import { favicon } from '#web/brand/mark.ts'

type DocumentProps = { title: string; frame: PageFrame; head: ReactNode; children: ReactNode }

/** The whole document around a page; the page brings its own `<main id="content">` and what else belongs in the head. */
export function Document({ title, frame, head, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta property="csp-nonce" nonce={frame.nonce} />
        <title>{title}</title>
        {/* fetched with the styles, so that the text is in Inter from the first paint or not at all */}
        <link rel="preload" href={interAddress} as="font" type="font/woff2" crossOrigin="anonymous" />
        {frame.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <link rel="icon" href={favicon} />
        {head}
        {frame.scripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
      </head>
      <body data-prefetch={frame.preloads.join(' ') || undefined}>
        <a className="skip" href="#content">
          Skip to content
        </a>
        {children}
      </body>
    </html>
  )
}
