import { randomUUID } from 'node:crypto'
import type { PageParts } from '#contract/pages.ts'

/**
 * A rendered document without the nonce, the token and the challenge, which differ in each response. `withParts` adds them and returns the
 * document in UTF-8. `bytes`: about the length without them, for the page cache.
 */
export type PageTemplate = { withParts: (parts: PageParts) => Buffer; bytes: number }

/**
 * The beginning of the placeholders that stand for the parts while a document is rendered. No text of a user can contain it, because each
 * start of the server makes a new one.
 */
const placeholderPrefix = randomUUID()
const placeholders: PageParts = {
  nonce: `${placeholderPrefix}-nonce`,
  token: `${placeholderPrefix}-token`,
  challenge: `${placeholderPrefix}-challenge`,
}
const pattern = new RegExp(`${placeholderPrefix}-(nonce|token|challenge)`)

/**
 * Renders a document once. `render` gets placeholders, and may put them only into texts and quoted attributes, because `withParts` escapes
 * the token and the challenge for these places. A nonce has no characters to escape.
 */
export function createTemplate(render: (parts: PageParts) => string): PageTemplate {
  const pieces = render(placeholders).split(pattern) // texts, with the name of a part between each two
  const encoded = pieces.map((piece) => Buffer.from(piece))
  return {
    bytes: encoded.reduce((sum, { length }) => sum + length, 0),
    withParts: ({ nonce, token, challenge }) => {
      const parts = new Map([
        ['nonce', Buffer.from(nonce)],
        ['token', Buffer.from(escapeHtml(token))],
        ['challenge', Buffer.from(escapeHtml(challenge))],
      ])
      return Buffer.concat(encoded.map((text, index) => (index % 2 === 0 ? text : (parts.get(pieces[index] ?? '') ?? text))))
    },
  }
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
