import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { notFound } from '#web/brand/notFound.ts'
import { Door } from '#web/ui/Door.tsx'
import classes from './pages.module.css'

/** For addresses inside the application that lead nowhere. */
export function NotFoundPage() {
  useDocumentTitle(notFound.title)
  return (
    <main className={classes['page']}>
      <Door />
      <h1 className={classes['title']}>{notFound.heading}</h1>
      <p className={classes['words']}>{notFound.text}</p>
      <div className={classes['actions']}>
        <Button component="a" href="/">
          {notFound.wayOut}
        </Button>
      </div>
    </main>
  )
}
