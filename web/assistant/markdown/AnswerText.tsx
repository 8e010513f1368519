import type { Token, Tokens } from 'marked'
import { memo, useMemo, useState, type ReactNode } from 'react'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { parseBlock, splitBlocks } from './blocks.ts'
import classes from './AnswerText.module.css'
import { Inlines } from './Inlines.tsx'
import type { TitleFinder } from './recordLinks.ts'

type AnswerTextProps = {
  text: string
  /** Finds the titles of the records that the answer speaks of; they become links. */
  findTitles: TitleFinder
  /** The text is growing, and a caret blinks at its end. */
  isGrowing: boolean
}

/** The Markdown of an answer. While it grows, only its last blocks are parsed and rendered again. */
export function AnswerText({ text, findTitles, isGrowing }: AnswerTextProps) {
  const blocks = useBlocks(text)
  return (
    <div className={classes['text']} data-growing={isGrowing || undefined}>
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a block keeps its position while the text grows
        <Block key={index} block={block} findTitles={findTitles} />
      ))}
    </div>
  )
}

/** Splits the text into blocks; those of the previous text are used again. */
function useBlocks(source: string): readonly string[] {
  const text = source.replaceAll(/\r\n?/g, '\n')
  const [split, setSplit] = useState(() => splitBlocks(text))
  if (split.text !== text) setSplit(splitBlocks(text, split))
  return split.blocks
}

const Block = memo(({ block, findTitles }: { block: string; findTitles: TitleFinder }) => {
  const tokens = useMemo(() => parseBlock(block), [block])
  if (!tokens) return <p className={classes['unparsed']}>{block}</p>
  return <BlockTokens tokens={tokens} findTitles={findTitles} />
})

// The parts of a block have no ids, and change only together.
/* oxlint-disable react/no-array-index-key */

type TokensProps = { tokens: readonly Token[]; findTitles: TitleFinder }

const BlockTokens = ({ tokens, findTitles }: TokensProps) =>
  tokens.map((token, index) => <BlockToken key={index} token={token} findTitles={findTitles} />)

function BlockToken({ token, findTitles }: { token: Token; findTitles: TitleFinder }): ReactNode {
  if (isHeading(token)) return <Heading heading={token} findTitles={findTitles} />
  if (isCode(token)) return <Code code={token} />
  if (isTable(token)) return <Table table={token} findTitles={findTitles} />
  if (isList(token)) return <List list={token} findTitles={findTitles} />
  if (token.type === 'blockquote')
    return (
      <blockquote>
        <BlockTokens tokens={childrenOf(token)} findTitles={findTitles} />
      </blockquote>
    )
  if (token.type === 'hr') return <hr />
  if (token.type === 'paragraph')
    return (
      <p dir="auto">
        <Inlines tokens={childrenOf(token)} findTitles={findTitles} />
      </p>
    )
  if (token.type === 'space') return null
  return <Inlines tokens={[token]} findTitles={findTitles} />
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'
const isCode = (token: Token): token is Tokens.Code => token.type === 'code'
const isTable = (token: Token): token is Tokens.Table => token.type === 'table'
const isList = (token: Token): token is Tokens.List => token.type === 'list'
const childrenOf = (token: Token): readonly Token[] => ('tokens' in token ? (token.tokens ?? []) : [])

/** The headings of an answer have lower levels than those of the page. */
function Heading({ heading, findTitles }: { heading: Tokens.Heading; findTitles: TitleFinder }) {
  const Element = heading.depth === 1 ? 'h3' : heading.depth === 2 ? 'h4' : 'h5'
  return (
    <Element dir="auto">
      <Inlines tokens={heading.tokens} findTitles={findTitles} />
    </Element>
  )
}

function Code({ code: { text, lang = '' } }: { code: Tokens.Code }) {
  return (
    <div className={classes['code']}>
      <div className={classes['codeHead']}>
        <span>{lang}</span>
        <CopyButton text={text} label="Copy code" />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls long lines */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

function Table({ table: { header, rows }, findTitles }: { table: Tokens.Table; findTitles: TitleFinder }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls wide tables
    <section className={classes['table']} aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens, align }, index) => (
              <th key={index} scope="col" data-align={align ?? undefined} dir="auto">
                <Inlines tokens={tokens} findTitles={findTitles} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map(({ tokens, align }, index) => (
                <td key={index} data-align={align ?? undefined} dir="auto">
                  <Inlines tokens={tokens} findTitles={findTitles} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function List({ list: { ordered, start, items }, findTitles }: { list: Tokens.List; findTitles: TitleFinder }) {
  const content = items.map((item, index) => (
    <li key={index} dir="auto" data-task={item.task || undefined}>
      <BlockTokens tokens={item.tokens} findTitles={findTitles} />
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{content}</ol> : <ul>{content}</ul>
}
