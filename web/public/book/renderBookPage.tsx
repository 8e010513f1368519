import type { BookContent, PageResources } from '#contract/pages.ts'
import { renderDocument } from '../renderDocument.ts'
import { BookPage } from './BookPage.tsx'

/** Stand for the values that differ in each response. No text of a user can contain them, because each start of the server makes new ones. */
const placeholders = {
  nonce: `nonce-${crypto.randomUUID()}`,
  token: `token-${crypto.randomUUID()}`,
  challenge: `challenge-${crypto.randomUUID()}`,
}

/** The documents that were rendered last, by their content. Rendering takes a millisecond, and most visitors get the same page. */
const documents = new Map<string, string>()
const maxDocuments = 200

/** Renders the page of a booking link. */
export function renderBookPage(content: BookContent, resources: PageResources): string {
  if (content.kind === 'missing') return renderDocument(<BookPage content={content} resources={resources} />)
  const sharedContent = { ...content, page_token: placeholders.token, challenge: placeholders.challenge }
  const sharedResources = { ...resources, nonce: placeholders.nonce }
  const key = JSON.stringify([sharedContent, sharedResources])
  let document = documents.get(key)
  if (document === undefined) {
    if (documents.size >= maxDocuments) documents.clear()
    document = renderDocument(<BookPage content={sharedContent} resources={sharedResources} />)
    documents.set(key, document)
  }
  return document
    .replaceAll(placeholders.nonce, () => escapeAttribute(resources.nonce))
    .replaceAll(placeholders.token, () => escapeAttribute(content.page_token))
    .replaceAll(placeholders.challenge, () => escapeAttribute(content.challenge))
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
