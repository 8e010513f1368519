import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PublicPages } from '#contract/pages.ts'
import { FormPage } from './form/FormPage.tsx'
import { Landing } from './landing/Landing.tsx'
import { NotFound } from './not-found/NotFound.tsx'

/** Renders the public pages as complete HTML documents on the server. The browser does not load React. */
export const pages: PublicPages = {
  landing: (content, resources) => renderDocument(<Landing content={content} resources={resources} />),
  form: (content, resources) => renderDocument(<FormPage content={content} resources={resources} />),
  notFound: (_content, resources) => renderDocument(<NotFound resources={resources} />),
}

const renderDocument = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`
