import type { ReactNode } from 'react'
import type { SavedRecord } from '#web/records/form/recordForm.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import classes from './RecordCard.module.css'
import { renderFieldValue } from './RecordFacts.tsx'

type RecordHeaderProps = {
  id: string
  title: string
  /** The line below the title. */
  subtitle?: ReactNode
  /** Buttons that are only visible on phones: "Call", "Email". */
  phoneButtons?: ReactNode
}

/** The avatar and the title at the top of a record page. */
export const RecordHeader = ({ id, title, subtitle, phoneButtons }: RecordHeaderProps) => (
  <div className={classes['header']}>
    <Avatar id={id} name={title} size={48} />
    <div className={classes['names']}>
      <p className={classes['title']}>{title}</p>
      {subtitle && <p>{subtitle}</p>}
    </div>
    {phoneButtons && <div className={classes['buttons']}>{phoneButtons}</div>}
  </div>
)

/** The values of a record in several columns, at the top of its page. */
export const RecordCard = ({ children }: { children: ReactNode }) => <dl className={classes['card']}>{children}</dl>

type CardFactProps = {
  label: string
  /** The text that the copy button copies. Without it there is no button. */
  copyText?: string
  /** The number of columns that the value occupies. */
  width?: 1 | 2 | 'all'
  children: ReactNode
}

/** A value with its label. A dash stands for an empty value. */
export const CardFact = ({ label, copyText, width = 1, children }: CardFactProps) => (
  <div className={classes['fact']} data-width={width}>
    <dt>{label}</dt>
    <dd>
      <span className={classes['value']}>{children || '-'}</span>
      {copyText && <CopyButton text={copyText} label={`Copy ${label.toLowerCase()}`} />}
    </dd>
  </div>
)

type CardFieldProps = {
  kind: Pick<EditableKind<SavedRecord>, 'fields'>
  record: object
  field: string
  canCopy?: boolean
  width?: CardFactProps['width']
}

/** A field of a record with its label. The type of the value decides how it is shown. */
export function CardField({ kind, record, field, canCopy = false, width = 1 }: CardFieldProps) {
  const copyText = canCopy ? String(Reflect.get(record, field)) : ''
  return (
    <CardFact label={kind.fields[field]?.label ?? field} copyText={copyText} width={width}>
      {renderFieldValue(kind, record, field)}
    </CardFact>
  )
}

/** The widths of the bars, as fractions of a column. */
const widths = [0.9, 0.6, 0.7, 0.8, 0.5, 0.75, 0.65, 0.85, 0.55]

/** A placeholder with the size of a header and a card, so that the layout does not shift when they appear. */
export const RecordCardSkeleton = () => (
  <>
    <div className={classes['header']}>
      <span className={classes['round']} />
      <span className={classes['bar']} style={{ width: 180 }} />
    </div>
    <div className={classes['card']}>
      {widths.map((width) => (
        <div key={width} className={classes['fact']}>
          <span className={classes['bar']} style={{ width: 56 }} />
          <span className={classes['bar']} style={{ width: `${width * 100}%` }} />
        </div>
      ))}
    </div>
  </>
)
