import { useId, type ReactNode } from 'react'
import classes from './AccountPage.module.css'

type AccountSectionProps = {
  title: string
  description?: ReactNode
  /** The id in the address `/account#ANCHOR`, which opens the page at this section. */
  anchor?: string
  children: ReactNode
}

/** A section of the account page with a heading and a description. */
export function AccountSection({ title, description, anchor, children }: AccountSectionProps) {
  const id = useId()
  return (
    <section id={anchor} className={classes['section']} aria-labelledby={id}>
      <h2 className={classes['head']} id={id}>
        {title}
      </h2>
      {description && <p className={classes['text']}>{description}</p>}
      {children}
    </section>
  )
}
