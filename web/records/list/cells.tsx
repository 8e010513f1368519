import { IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { findKindDisplay } from '#web/lib/features.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { ExternalLinkType, KindField, RecordKind } from '#web/records/kind/kind.ts'
import { externalLinks, getLinkAttributes } from '#web/records/links/externalLinks.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import classes from './cells.module.css'

type TitleCellProps<Row extends { id: string }> = { kind: RecordKind<Row>; row: Row; isPhone: boolean; isInTabOrder: boolean }

/** The first cell of a row: the title, which links to the record. */
export function TitleCell<Row extends { id: string }>({ kind, row, isPhone, isInTabOrder }: TitleCellProps<Row>) {
  const { picture, secondLine } = kind.titleCell
  const title = kind.titleOf(row)
  const shape = findKindDisplay(kind.singular)?.shape
  const avatar = shape && <Avatar id={row.id} name={title} size={isPhone ? 32 : 24} shape={shape} />
  const phoneLine = isPhone && secondLine(row)
  return (
    <div className={classes['titleCell']}>
      {picture ? picture(row, isInTabOrder) : avatar}
      <div className={classes['names']}>
        {/* the table handles the click: a click on a link with `data-row-link` opens the record, as a click on the row does */}
        <a href={`${kind.path}/${row.id}`} data-row-link dir="auto" title={title} tabIndex={isInTabOrder ? 0 : -1}>
          {title}
        </a>
        {phoneLine && (
          <div className={classes['secondLine']} dir="auto">
            {phoneLine}
          </div>
        )}
      </div>
    </div>
  )
}

/** Renders the cell of a column that has no `cell` of its own. The field and the type of the value decide how the cell looks. */
export function renderValueCell(row: object, name: string, field: KindField | undefined, isInTabOrder: boolean): ReactNode {
  const value: unknown = Reflect.get(row, name)
  if (Array.isArray(value)) return <TagsCell tags={value.map(String)} />
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'string') return null
  if (field?.externalLink) return <LinkCell externalLink={field.externalLink} value={value} isInTabOrder={isInTabOrder} />
  return name.endsWith('_at') ? <RelativeTime at={value} /> : <TextCell text={value} />
}

type LinkCellProps = { externalLink: ExternalLinkType; value: string; isInTabOrder: boolean }

/**
 * A website, an email address or a phone number as a link, with a button that copies its text. The button lies over the text and has the
 * background of the row (`data-row-background`); the list handles its click by `data-action`.
 */
export function LinkCell({ externalLink, value, isInTabOrder }: LinkCellProps) {
  if (!value) return null
  const { text, href } = externalLinks[externalLink]
  const tabIndex = isInTabOrder ? 0 : -1
  return (
    <span className={classes['linked']}>
      <a href={href(value)} title={text(value)} tabIndex={tabIndex} {...getLinkAttributes(externalLink)}>
        {text(value)}
      </a>
      <button
        type="button"
        className={classes['copy']}
        data-row-background
        data-action="copy"
        data-copy={text(value)}
        aria-label={`Copy ${externalLink}`}
        title={`Copy ${externalLink}`}
        tabIndex={tabIndex}
      >
        <IconCopy size={14} stroke={1.75} aria-hidden />
      </button>
    </span>
  )
}

/** Shows the full text on hover, because the cell may truncate it. */
export const TextCell = ({ text }: { text: string }) => (
  <div className={classes['text']} dir="auto" title={text}>
    {text}
  </div>
)

/** Shows all tags on hover, because some may not fit in the cell. */
const TagsCell = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? null : (
    <span className={classes['tags']} title={tags.join(', ')}>
      {tags.map((tag) => (
        <span key={tag} className={classes['tag']} dir="auto">
          {tag}
        </span>
      ))}
    </span>
  )
