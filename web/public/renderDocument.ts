import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** Returns the complete HTML document of a page. */
export const renderDocument = (page: ReactElement): string => `<!doctype html>${renderToStaticMarkup(page)}`
