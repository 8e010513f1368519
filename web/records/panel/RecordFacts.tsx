import type { ReactNode } from 'react'
import type { Icon } from '#web/lib/features.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { externalLinks, getLinkAttributes } from '#web/records/links/externalLinks.ts'
import classes from './RecordFacts.module.css'

/** The values of a record, one below the other. */
export const RecordFacts = ({ children }: { children: ReactNode }) => <dl className={classes['facts']}>{children}</dl>

type FactProps = {
  icon: Icon
  label: string
  /** The fact is as wide as all columns. */
  isWide?: boolean
  children: ReactNode
}

/** A value with its label. A dash stands for an empty value. */
export const Fact = ({ icon: Picture, label, isWide = false, children }: FactProps) => (
  <div className={classes['fact']} data-wide={isWide || undefined}>
    <dt>
      <Picture size={16} stroke={1.75} />
      {label}
    </dt>
    <dd>{children || '-'}</dd>
  </div>
)

type KindWithFields = Pick<EditableKind<{ id: string; version: number }>, 'fields'>

/** Renders a value by its type: a link, a number, tags or text. Renders nothing for an empty value. */
export function renderFieldValue(kind: KindWithFields, record: object, field: string): ReactNode {
  const value: unknown = Reflect.get(record, field)
  const externalLink = kind.fields[field]?.externalLink
  if (Array.isArray(value)) return value.length > 0 && <Tags tags={value.map(String)} />
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'string' || value === '') return null
  if (kind.fields[field]?.isLong) return <p className={classes['text']}>{value}</p>
  if (!externalLink) return value
  const { href, text } = externalLinks[externalLink]
  return (
    <a className={externalLink === 'phone' ? undefined : 'link'} href={href(value)} title={value} {...getLinkAttributes(externalLink)}>
      {text(value)}
    </a>
  )
}

/** A small text next to a value: "in 13 days". */
export const Remark = ({ tone, children }: { tone?: 'danger' | undefined; children: ReactNode }) => (
  <span className={classes['remark']} data-tone={tone}>
    {children}
  </span>
)

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul className={classes['tags']}>
      {tags.map((tag) => (
        <li key={tag} dir="auto" title={tag}>
          {tag}
        </li>
      ))}
    </ul>
  )
}
