// Splits the Markdown of an answer into blocks, and parses a block. Nothing in it becomes HTML.
import { Lexer, Tokenizer, type Token, type Tokens } from 'marked'
import { hasManyMarks } from '#web/ui/parseMarkdown.ts'

/** A text and its blocks, such as paragraphs, lists and tables. The blocks together are the text. */
export type SplitText = { text: string; blocks: readonly string[] }

export const noBlocks: SplitText = { text: '', blocks: [] }

/** The number of blocks at the end that can change when text is added, for example a list that a later line continues. */
const openBlockCount = 3

/**
 * Splits a text, whose lines end with `\n`, into blocks. If it continues the previous text, only its end is parsed again, because an answer
 * grows piece by piece.
 */
export function splitBlocks(text: string, previous: SplitText = noBlocks): SplitText {
  const kept = text.startsWith(previous.text) ? previous.blocks.slice(0, -openBlockCount) : []
  const start = kept.reduce((sum, block) => sum + block.length, 0)
  const rest = text.slice(start)
  const added = isTooDeep(rest) ? undefined : tryParse((lexer) => lexer.blockTokens(rest))
  return { text, blocks: [...kept, ...(added?.map(({ raw }) => raw) ?? [rest])] }
}

/** Parses one block. Returns undefined if it is nested too deeply, too long or too wide; it is then shown as it was written. */
export function parseBlock(block: string): readonly Token[] | undefined {
  if (isTooDeep(block) || hasLongLine(block) || hasManyMarksInPart(block)) return undefined
  const tokens = tryParse((lexer) => lexer.lex(block))
  return tokens?.some(isTooWide) ? undefined : tokens
}

const maxColumns = 50
const isTooWide = (token: Token): boolean => token.type === 'table' && 'header' in token && token.header.length > maxColumns

/** A longer line is not prose, and the time to find its emphasis grows with the square of its length. */
const maxLineLength = 20_000

/** Code has no emphasis, and the cells of a table are parsed one by one, so the length of their lines does not matter. */
const hasLongLine = (block: string): boolean =>
  block.length > maxLineLength && !/^ {0,3}(```|~~~|\|)/.test(block) && block.split('\n').some((line) => line.length > maxLineLength)

/** Returns true if a paragraph, a list item or a table row has so many marks of emphasis that parsing it would block the browser. */
const hasManyMarksInPart = (block: string): boolean =>
  !/^ {0,3}(```|~~~)/.test(block) && block.split(/\n(?=\s*(?:\n|[-*+]\s|\d{1,9}[.)]\s|\|))/).some(hasManyMarks)

/** Returns true if a line begins with the marks of more than ten nested lists or quotes, or is a list item after 60 spaces or more. */
const isTooDeep = (block: string): boolean => /^(?:\s*(?:>|[-*+](?=\s)|\d{1,9}[.)](?=\s))){11}|^ {60,}(?:[-*+]|\d{1,9}[.)])\s/m.test(block)

function tryParse<T>(parse: (lexer: Lexer) => T): T | undefined {
  try {
    return parse(new Lexer({ gfm: true, tokenizer: new AnswerTokenizer() }))
  } catch (error) {
    if (error instanceof RangeError) return undefined // the call stack is full
    throw error
  }
}

/** Reads Markdown without HTML, and without references to links that are defined elsewhere in the text. */
class AnswerTokenizer extends Tokenizer {
  override html(): undefined {}
  override tag(): undefined {}
  override def(): undefined {}
  override reflink(): undefined {}
  // text that is indented by four spaces is no code, because models indent what follows a list
  override code(): undefined {}

  /** Also reads links to records whose address contains spaces. */
  override link(source: string): Tokens.Link | Tokens.Image | undefined {
    return super.link(source) ?? this.readRecordLink(source)
  }

  private readRecordLink(source: string): Tokens.Link | undefined {
    // "[text](foyer:deals?filter=[{"field": "stage"}])": the first ")" that follows a letter, a digit or one of _"'}]=%- ends the address;
    // other parentheses are a part of it
    const [raw, text = '', href = ''] = /^\[([^\][\n]+)\]\((foyer:[^\n]*?[\w"'}\]=%-])\)/.exec(source) ?? []
    if (raw === undefined) return undefined
    return { type: 'link', raw, href, text, title: null, tokens: this.lexer.inlineTokens(text) }
  }
}
