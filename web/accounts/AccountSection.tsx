import { useId, type ReactNode } from 'react'
import classes from './AccountPage.module.css'

/** A section of the account page with a heading and a description. */
export function AccountSection({ title, description, children }: { title: string; description?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <h2 className={classes['head']} id={id}>
        {title}
      </h2>
      {description && <p className={classes['text']}>{description}</p>}
      {children}
    </section>
  )
}
