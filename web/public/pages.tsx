import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PublicPages } from '#contract/pages.ts'
import { Landing } from './landing/Landing.tsx'
import { NotFound } from './not-found/NotFound.tsx'

/** The public pages as whole HTML documents. React renders them on the server; the browser gets no React. */
export const pages: PublicPages = {
  landing: (view, frame) => documentOf(<Landing view={view} frame={frame} />),
  notFound: (_view, frame) => documentOf(<NotFound frame={frame} />),
}

const documentOf = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`
