import type { ReactNode } from 'react'
import type { Icon } from '#web/lib/features.ts'
import classes from './RecordFacts.module.css'

/** What is known of a record, a line each. */
export const RecordFacts = ({ children }: { children: ReactNode }) => <dl className={classes['facts']}>{children}</dl>

/** A line of it; a dash where nothing is known. */
export function Fact({ icon: Picture, label, children }: { icon: Icon; label: string; children: ReactNode }) {
  return (
    <>
      <dt>
        <Picture size={16} stroke={1.75} />
        {label}
      </dt>
      <dd>{children || '-'}</dd>
    </>
  )
}

/** What stands in small letters beside a value: "in 13 days". */
export const Beside = ({ tone, children }: { tone?: 'danger' | undefined; children: ReactNode }) => (
  <span className={classes['beside']} data-tone={tone}>
    {children}
  </span>
)

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul className={classes['tags']}>
      {tags.map((tag) => (
        <li key={tag} title={tag}>
          {tag}
        </li>
      ))}
    </ul>
  )
}
