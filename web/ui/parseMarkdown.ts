// Finds the links, the emphasis and the lists in a text that a user wrote. Everything else stays as it was typed, with its line breaks.
import { Lexer, Tokenizer, type Token, type Tokens } from 'marked'

export type Inline = string | Emphasis | Link

type Emphasis = { type: 'strong' | 'emphasis' | 'deleted' | 'code'; content: readonly Inline[] }

/** `address` is shown after the text of the link; undefined if the text is the address. */
type Link = { type: 'link'; href: string; content: readonly Inline[]; address: string | undefined }

export type Block = { type: 'text'; content: readonly Inline[] } | { type: 'list'; isOrdered: boolean; items: readonly ListItem[] }

export type ListItem = {
  /** The number as typed: "3.". Undefined in a list without numbers. */
  number: string | undefined
  /** Undefined if the item has no check box. */
  isChecked: boolean | undefined
  blocks: readonly Block[]
  /** An empty line follows. */
  hasSpaceBelow: boolean
}

/** Parses a text. If it is nested too deeply, all of it is shown as it was typed. */
export function parseMarkdown(text: string): readonly Block[] {
  const source = text.replaceAll(/\r\n?/g, '\n')
  try {
    return parseBlocks(source, 0)
  } catch (error) {
    if (error instanceof RangeError) return [{ type: 'text', content: [source] }] // the call stack is full
    throw error
  }
}

const maxListDepth = 5

function parseBlocks(source: string, depth: number): Block[] {
  const lexer = createLexer(depth)
  const blocks: Block[] = []
  let textStart = 0
  let position = 0
  const addText = (end: number): void => {
    if (textStart < end) blocks.push({ type: 'text', content: parseText(source.slice(textStart, end), lexer) })
  }
  for (const token of lexer.blockTokens(source)) {
    if (isList(token)) {
      addText(position)
      blocks.push(toList(token, depth))
      const listEnd = position + token.raw.trimEnd().length
      const spaceAfterList = /^[ \t]*\n?/.exec(source.slice(listEnd))?.[0] ?? '' // up to the end of the last line of the list
      textStart = listEnd + spaceAfterList.length
    }
    position += token.raw.length
  }
  addText(source.length)
  return blocks
}

const isList = (token: Token): token is Tokens.List => token.type === 'list'

function toList({ ordered, items }: Tokens.List, depth: number): Block {
  return {
    type: 'list',
    isOrdered: ordered,
    items: items.map(({ raw, text, task, checked }) => ({
      // digits with a point or a parenthesis: "3." or "3)"
      number: /^\s*(\d+[.)])/.exec(raw)?.[1],
      isChecked: task ? checked === true : undefined,
      blocks: parseBlocks(text.trimEnd(), depth + 1),
      // the item ends with an empty line
      hasSpaceBelow: /\n[ \t]*\n\s*$/.test(raw),
    })),
  }
}

/** The time to find emphasis grows with the number of its marks times the length of the text. At this limit it is about 20 ms. */
const maxMarksTimesLength = 2_000_000

/** Whether a text has so many marks of emphasis that finding the emphasis could block the browser. */
export const hasManyMarks = (text: string): boolean => (text.match(/[*_~]/g)?.length ?? 0) * text.length > maxMarksTimesLength

/** Parses a text without lists. Its parts between empty lines are parsed one by one, because emphasis does not cross an empty line. */
function parseText(text: string, lexer: Lexer): Inline[] {
  const parts = text.split(/(\n[ \t]*\n\s*)/) // the parts with an odd index are the empty lines
  return parts.flatMap((part, index) => (index % 2 === 1 || hasManyMarks(part) ? part : toInlines(lexer.inlineTokens(part))))
}

const toInlines = (tokens: readonly Token[], isInLink = false): Inline[] => tokens.flatMap((token) => toInline(token, isInLink))

function toInline(token: Token, isInLink: boolean): Inline | Inline[] {
  const content = toInlines('tokens' in token ? (token.tokens ?? []) : [], isInLink || isLink(token))
  if (token.type === 'strong') return { type: 'strong', content }
  if (token.type === 'em') return { type: 'emphasis', content }
  if (token.type === 'del') return { type: 'deleted', content }
  if (token.type === 'codespan' && !token.raw.includes('\n')) return { type: 'code', content: [token.raw.replaceAll(/^`+|`+$/g, '')] }
  return isLink(token) && !isInLink ? toLink(token, content) : token.raw
}

/** An image is a link too, because nothing is loaded from other servers. */
const isLink = (token: Token): token is Tokens.Link | Tokens.Image => token.type === 'link' || token.type === 'image'

const allowedProtocols = ['http:', 'https:', 'mailto:', 'tel:']

function toLink({ raw, href, text }: Tokens.Link | Tokens.Image, content: readonly Inline[]): Inline | Inline[] {
  if (!isExternalAddress(href)) return raw
  const address = shortenAddress(href)
  const hasText = text.trim() !== ''
  const link: Link = { type: 'link', href, content: hasText ? content : [address], address: findHiddenAddress(href, text) }
  return raw.startsWith('<') ? ['<', link, '>'] : link
}

/** Returns true for the addresses of web pages, emails and phone numbers. Other addresses are not shown as links. */
export const isExternalAddress = (href: string): boolean => URL.canParse(href) && allowedProtocols.includes(new URL(href).protocol)

/** Returns the address to show after the text of a link; undefined if the text is empty or is the address. */
export function findHiddenAddress(href: string, text: string): string | undefined {
  const address = shortenAddress(href)
  return text.trim() !== '' && shortenAddress(text) !== address ? address : undefined
}

/** Converts "https://example.com/" to "example.com". */
export const shortenAddress = (address: string): string => address.replace(/^(https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '')

const createLexer = (depth: number): Lexer => new Lexer({ gfm: true, tokenizer: new TextTokenizer(depth) })

/** Of all elements of Markdown, finds only lists, emphasis, inline code and links. */
class TextTokenizer extends Tokenizer {
  private readonly depth: number
  private isInList = false

  constructor(depth: number) {
    super()
    this.depth = depth
  }

  /** Lists in an item are found when the text of the item is parsed. */
  override list(source: string): Tokens.List | undefined {
    if (this.isInList || this.depth > maxListDepth) return undefined
    const { length, itemCount } = measureList(source)
    const isSingleItem = this.depth === 0 && itemCount === 1 // probably not meant as a list, such as "1. October" or "- Ada"
    if (itemCount === 0 || isSingleItem) return undefined
    this.isInList = true
    const list = super.list(source.slice(0, length))
    this.isInList = false
    return list
  }

  /** Does not read the stars of "2*3*4" as emphasis. */
  override emStrong(source: string, maskedSource: string, previousCharacter = ''): Tokens.Em | Tokens.Strong | undefined {
    const token = super.emStrong(source, maskedSource, previousCharacter)
    if (token?.type !== 'em') return token
    return isLetterOrDigit(previousCharacter) || isLetterOrDigit(source.charAt(token.raw.length)) ? undefined : token
  }

  /** Does not read the tildes of "~5 to ~10" as deleted text. */
  override del(...input: Parameters<Tokenizer['del']>): Tokens.Del | undefined {
    return input[0].startsWith('~~') ? super.del(...input) : undefined
  }

  // these elements are not found, so that they are shown as they were typed
  override code(): undefined {}
  override fences(): undefined {}
  override heading(): undefined {}
  override hr(): undefined {}
  override blockquote(): undefined {}
  override html(): undefined {}
  override def(): undefined {}
  override table(): undefined {}
  override lheading(): undefined {}
  override tag(): undefined {}
  override reflink(): undefined {}
}

const isLetterOrDigit = (character: string): boolean => /[\p{L}\p{N}]/u.test(character)

/** Matches a line that begins a list item: up to three spaces, then "-", "*" or a number with a delimiter, then a space and a text. */
const itemLine = /^ {0,3}(?<marker>[-*]|\d{1,9}(?<delimiter>[.)]))[ \t]+\S/

/**
 * Returns the length of the list at the beginning of a text, and the number of its items. Unlike in Markdown, a line that is not indented
 * ends the list, because it was typed below the list.
 */
function measureList(source: string): { length: number; itemCount: number } {
  const kind = readItemKind(source.slice(0, findLineEnd(source, 0)))
  if (!kind) return { length: 0, itemCount: 0 }
  let length = 0
  let itemCount = 0
  let lineStart = 0
  while (lineStart <= source.length) {
    const lineEnd = findLineEnd(source, lineStart)
    const line = source.slice(lineStart, lineEnd)
    const isItem = readItemKind(line) === kind
    const isIndented = /^( {2}|\t)/.test(line)
    const isEmpty = line.trim() === ''
    if (!isItem && !isIndented && !isEmpty) break
    if (isItem) itemCount += 1
    if (!isEmpty) length = lineEnd
    lineStart = lineEnd + 1
  }
  return { length, itemCount }
}

/** Returns the character that the items of a list have in common: "-", "*", "." or ")". Undefined for other lines. */
const readItemKind = (line: string): string | undefined => {
  const groups = itemLine.exec(line)?.groups
  return groups?.['delimiter'] ?? groups?.['marker']
}

const findLineEnd = (source: string, start: number): number => {
  const end = source.indexOf('\n', start)
  return end < 0 ? source.length : end
}
