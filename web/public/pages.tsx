import type { PublicPages } from '#contract/pages.ts'
import { ApiDocs } from './api-docs/ApiDocs.tsx'
import { FormPage } from './form/FormPage.tsx'
import { BookPage } from './book/BookPage.tsx'
import { ChangePage } from './book/ChangePage.tsx'
import { StopWaitingPage } from './book/StopWaitingPage.tsx'
import { Landing } from './landing/Landing.tsx'
import { renderDocument } from './renderDocument.ts'
import { NotFound } from './not-found/NotFound.tsx'

/** Renders the public pages as complete HTML documents on the server. The browser does not load React. */
export const pages: PublicPages = {
  landing: (content, resources) => renderDocument(<Landing content={content} resources={resources} />),
  form: (content, resources) => renderDocument(<FormPage content={content} resources={resources} />),
  book: (content, resources) => renderDocument(<BookPage content={content} resources={resources} />),
  cancelBooking: (content, resources) => renderDocument(<ChangePage content={content} resources={resources} />),
  moveBooking: (content, resources) => renderDocument(<ChangePage content={content} resources={resources} />),
  stopWaiting: (content, resources) => renderDocument(<StopWaitingPage content={content} resources={resources} />),
  apiDocs: (content, resources) => renderDocument(<ApiDocs content={content} resources={resources} />),
  notFound: (_content, resources) => renderDocument(<NotFound resources={resources} />),
}
