import { useMemo } from 'react'
import { ExternalLink } from './ExternalLink.tsx'
import { parseMarkdown, type Block, type Inline, type ListItem } from './parseMarkdown.ts'
import classes from './RichText.module.css'

/** A text that a user wrote, with its links, emphasis and lists. Everything else is shown as it was typed. */
export function RichText({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text])
  return (
    <div className={classes['text']} dir="auto">
      <Blocks blocks={blocks} />
    </div>
  )
}

// The parts of a text have no ids, and change only together.
/* oxlint-disable react/no-array-index-key */

const Blocks = ({ blocks }: { blocks: readonly Block[] }) =>
  blocks.map((block, index) =>
    block.type === 'list' ? (
      <List key={index} {...block} />
    ) : (
      <p key={index}>
        <Inlines content={block.content} />
      </p>
    ),
  )

function List({ isOrdered, items }: { isOrdered: boolean; items: readonly ListItem[] }) {
  const ListElement = isOrdered ? 'ol' : 'ul'
  const longestNumber = Math.max(...items.map(({ number }) => number?.length ?? 0))
  return (
    <ListElement className={classes['list']} style={isOrdered ? { paddingInlineStart: `${longestNumber}ch` } : undefined}>
      {items.map((item, index) => (
        <Item key={index} item={item} />
      ))}
    </ListElement>
  )
}

/** An item of a list. It has the number that was typed, because other texts may refer to it. */
function Item({ item: { number, isChecked, blocks, hasSpaceBelow } }: { item: ListItem }) {
  const marker = isChecked === undefined ? number : getCheckMark(isChecked)
  return (
    <li
      value={number === undefined ? undefined : Number.parseInt(number, 10)}
      style={marker === undefined ? undefined : { listStyleType: `"${marker} "` }}
      data-spaced={hasSpaceBelow || undefined}
    >
      <Blocks blocks={blocks} />
    </li>
  )
}

const getCheckMark = (isChecked: boolean): string => (isChecked ? '☑' : '☐')

const Inlines = ({ content }: { content: readonly Inline[] }) => content.map((inline, index) => <InlineText key={index} inline={inline} />)

function InlineText({ inline }: { inline: Inline }) {
  if (typeof inline === 'string') return inline
  const content = <Inlines content={inline.content} />
  if ('href' in inline) return <ExternalLink {...inline}>{content}</ExternalLink>
  if (inline.type === 'strong') return <strong>{content}</strong>
  if (inline.type === 'emphasis') return <em>{content}</em>
  if (inline.type === 'deleted') return <del>{content}</del>
  return <code className={classes['code']}>{content}</code>
}
