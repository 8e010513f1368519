import type { ReactNode } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'
import classes from './RecordCard.module.css'

type RecordHeaderProps = {
  id: string
  title: string
  /** Renders the title, by default unchanged. */
  renderTitle?: (title: ReactNode) => ReactNode
  /** The line below the title. */
  subtitle?: ReactNode
  /** Buttons that are only visible on phones: "Call", "Email". */
  buttonsOnPhones?: ReactNode
}

/** The avatar and the title at the top of a record page. */
export const RecordHeader = ({ id, title, renderTitle = (text) => text, subtitle, buttonsOnPhones }: RecordHeaderProps) => (
  <div className={classes['header']}>
    <Avatar id={id} name={title} size={48} />
    <div className={classes['names']}>
      {renderTitle(<p className={classes['title']}>{title}</p>)}
      {subtitle && <p>{subtitle}</p>}
    </div>
    {buttonsOnPhones && <div className={classes['buttons']}>{buttonsOnPhones}</div>}
  </div>
)

/** The values of a record in several columns, at the top of its page. */
export const RecordCard = ({ children }: { children: ReactNode }) => <dl className={classes['card']}>{children}</dl>

type CardFactProps = {
  label: string
  /** The value has the whole width of the card. */
  isLong?: boolean
  children: ReactNode
}

/** A value with its label. Line breaks in a text are shown. */
export const CardFact = ({ label, isLong = false, children }: CardFactProps) => (
  <div className={classes['fact']} data-long={isLong || undefined}>
    <dt dir="auto">{label}</dt>
    <dd dir="auto">{children}</dd>
  </div>
)

/** The widths of the bars of the placeholder, as fractions of a column. */
const barWidths = [0.9, 0.6, 0.7, 0.8, 0.5, 0.75, 0.65, 0.85, 0.55]

/** A placeholder with the size of a header and a card, so that the layout does not shift when they appear. */
export const RecordCardSkeleton = () => (
  <>
    <div className={classes['header']}>
      <span className={classes['round']} />
      <span className={classes['bar']} style={{ width: 180 }} />
    </div>
    <div className={classes['card']}>
      {barWidths.map((width) => (
        <div key={width} className={classes['fact']}>
          <span className={classes['bar']} style={{ width: 56 }} />
          <span className={classes['bar']} style={{ width: `${width * 100}%` }} />
        </div>
      ))}
    </div>
  </>
)
