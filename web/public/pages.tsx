import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PublicPages } from '#contract/pages.ts'
import { Landing } from './landing/Landing.tsx'
import { NotFound } from './not-found/NotFound.tsx'

/** Renders the public pages as complete HTML documents on the server. The browser does not load React. */
export const pages: PublicPages = {
  landing: (content, frame) => renderDocument(<Landing content={content} frame={frame} />),
  notFound: (_content, frame) => renderDocument(<NotFound frame={frame} />),
}

const renderDocument = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`
