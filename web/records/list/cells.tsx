import { IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './cells.module.css'

type NameCellProps = {
  name: string
  href: string
  /** A picture before the name. */
  picture?: ReactNode
  /** On a phone: the most useful second fact, under the name. */
  second?: ReactNode
  reachable: boolean
}

/** The first cell of a row: its name, which is the link that opens it. */
export const NameCell = ({ name, href, picture, second, reachable }: NameCellProps) => (
  <div className={classes['who']}>
    {picture}
    <div className={classes['names']}>
      <a href={href} data-row-link title={name} tabIndex={reachable ? 0 : -1}>
        {name}
      </a>
      {second && <div className={classes['second']}>{second}</div>}
    </div>
  </div>
)

type LinkCellProps = { text: string; href: string; what: 'email' | 'phone' | 'website'; reachable: boolean }

/** A cell that leads out of the product, and can be copied. */
export function LinkCell({ text, href, what, reachable }: LinkCellProps) {
  if (!text) return null
  const tabIndex = reachable ? 0 : -1
  const outside = what === 'website' ? { target: '_blank', rel: 'noreferrer' } : {}
  return (
    <span className={classes['linked']}>
      <a href={href} title={text} tabIndex={tabIndex} {...outside}>
        {text}
      </a>
      <button
        type="button"
        className={classes['copy']}
        data-over
        data-action="copy"
        data-copy={text}
        aria-label={`Copy ${what}`}
        title={`Copy ${what}`}
        tabIndex={tabIndex}
      >
        <IconCopy size={14} stroke={1.75} aria-hidden />
      </button>
    </span>
  )
}

/** A cell of text; what is cut shows on hover. */
export const TextCell = ({ text }: { text: string }) => <span title={text}>{text}</span>

/** The tags of a record, as many as there is room for; all of them show on hover. */
export const TagsCell = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? null : (
    <span className={classes['tags']} title={tags.join(', ')}>
      {tags.map((tag) => (
        <span key={tag} className={classes['tag']}>
          {tag}
        </span>
      ))}
    </span>
  )
