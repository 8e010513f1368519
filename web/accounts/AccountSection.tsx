import { useId, type ReactNode } from 'react'
import classes from './AccountPage.module.css'

/** A section of the account page, with heading and explanation. */
export function AccountSection({ title, words, children }: { title: string; words?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes['section']} aria-labelledby={id}>
      <h2 className={classes['head']} id={id}>
        {title}
      </h2>
      {words && <p className={classes['words']}>{words}</p>}
      {children}
    </section>
  )
}
