import type { ReactNode } from 'react'
import { useDocumentTitle } from '@mantine/hooks'
import { Logo } from '#web/ui/Logo.tsx'
import classes from './AuthCard.module.css'

type AuthCardProps = { title: string; description: ReactNode; below?: ReactNode; children: ReactNode }

/** The layout of the sign-in, sign-up and password pages. `below` is shown below the card: a link to another of these pages. */
export function AuthCard({ title, description, below, children }: AuthCardProps) {
  useDocumentTitle(`${title} - Foyer`)
  return (
    <main className={classes['page']}>
      <a className={classes['brand']} href="/">
        <Logo size={28} />
        <span className={classes['word']}>Foyer</span>
      </a>
      <div className={classes['card']}>
        <h1 className={classes['title']}>{title}</h1>
        <p className={classes['text']}>{description}</p>
        {children}
      </div>
      <p className={classes['below']}>{below}</p>
    </main>
  )
}
