import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { notFound } from '#web/brand/notFound.ts'
import { DoorIllustration } from '#web/ui/DoorIllustration.tsx'
import classes from './ErrorPages.module.css'

/** The page for unknown addresses. */
export function NotFoundPage() {
  useDocumentTitle(notFound.title)
  return (
    <main className={classes['page']}>
      <DoorIllustration />
      <h1 className={classes['title']}>{notFound.heading}</h1>
      <p className={classes['text']}>{notFound.text}</p>
      <div className={classes['actions']}>
        <Button component="a" href="/">
          {notFound.linkLabel}
        </Button>
      </div>
    </main>
  )
}
