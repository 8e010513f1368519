import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PublicPages } from '#contract/pages.ts'
import { Landing } from './landing/Landing.tsx'
import { NotFound } from './not-found/NotFound.tsx'

/** The pages for strangers, each a whole document: React on the server only, none of it reaches the browser. */
export const pages: PublicPages = {
  landing: (view, frame) => documentOf(<Landing view={view} frame={frame} />),
  notFound: (frame) => documentOf(<NotFound frame={frame} />),
}

const documentOf = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`
