import type { Token, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { ExternalLink } from '#web/ui/ExternalLink.tsx'
import { findHiddenAddress, isExternalAddress, shortenAddress } from '#web/ui/parseMarkdown.ts'
import { RecordLink } from './RecordLink.tsx'
import { isRecordLink, parseRecordLink, type TitleFinder } from './recordLinks.ts'

// The parts of a text have no ids, and change only together.
/* oxlint-disable react/no-array-index-key */

type InlinesProps = { tokens: readonly Token[]; findTitles: TitleFinder }

/** The words of a paragraph, a list item or a cell, with their emphasis and links. */
export const Inlines = ({ tokens, findTitles }: InlinesProps) =>
  tokens.map((token, index) => <InlineElement key={index} token={token} findTitles={findTitles} />)

/** Finds nothing, because a link cannot contain a link. */
const findNothing: TitleFinder = (text) => [text]

function InlineElement({ token, findTitles }: { token: Token; findTitles: TitleFinder }): ReactNode {
  const children = 'tokens' in token ? token.tokens : undefined
  if (isLink(token)) return <LinkElement link={token} />
  if (token.type === 'codespan') return <code>{textOf(token)}</code>
  if (token.type === 'br') return <br />
  if (token.type === 'checkbox') return token.raw.includes('x') ? '☑ ' : '☐ '
  const content = children ? <Inlines tokens={children} findTitles={findTitles} /> : undefined
  if (token.type === 'strong') return <strong>{content}</strong>
  if (token.type === 'em') return <em>{content}</em>
  if (token.type === 'del') return <del>{content}</del>
  if (content) return content
  return <LinkedText text={decodeEntities(textOf(token))} findTitles={findTitles} />
}

/** A picture is a link too, because nothing is loaded from other servers. */
const isLink = (token: Token): token is Tokens.Link | Tokens.Image => token.type === 'link' || token.type === 'image'

const textOf = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : token.raw)

/** A text in which the titles of records are links. */
const LinkedText = ({ text, findTitles }: { text: string; findTitles: TitleFinder }) =>
  findTitles(text).map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      <RecordLink key={index} target={{ type: 'record', ...part }}>
        {part.title}
      </RecordLink>
    ),
  )

/** A link to a record, or to another website with its address. Any other address is shown as it was written. */
function LinkElement({ link }: { link: Tokens.Link | Tokens.Image }): ReactNode {
  const { href, text, raw } = link
  const content = 'tokens' in link && link.tokens ? <Inlines tokens={link.tokens} findTitles={findNothing} /> : text
  if (isRecordLink(href)) {
    const target = parseRecordLink(href)
    return target ? <RecordLink target={target}>{content}</RecordLink> : content
  }
  if (!isExternalAddress(href)) return raw
  return (
    <ExternalLink href={href} address={findHiddenAddress(href, text)}>
      {text.trim() === '' ? shortenAddress(href) : content}
    </ExternalLink>
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0', '#39': "'" }

/** Decodes the HTML entities that models sometimes write. */
const decodeEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_match, name: string) => entities[name] ?? '')
