import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { notFound } from '#web/brand/notFound.ts'
import { DoorIllustration } from '#web/ui/DoorIllustration.tsx'
import classes from './pages.module.css'

/** For addresses inside the application that lead nowhere. */
export function NotFoundPage() {
  useDocumentTitle(notFound.title)
  return (
    <main className={classes['page']}>
      <DoorIllustration />
      <h1 className={classes['title']}>{notFound.heading}</h1>
      <p className={classes['words']}>{notFound.text}</p>
      <div className={classes['actions']}>
        <Button component="a" href="/">
          {notFound.linkLabel}
        </Button>
      </div>
    </main>
  )
}
