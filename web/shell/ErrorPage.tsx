import { Button } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { sentenceOf } from '#web/lib/toasts.ts'
import { isLoadFailure } from './loadFailure.ts'
import { NotLoadedPage } from './NotLoadedPage.tsx'
import classes from './pages.module.css'

/** What is shown when a screen broke: why, and two ways on. */
export function ErrorPage({ error }: ErrorComponentProps) {
  if (isLoadFailure(error)) return <NotLoadedPage />
  return (
    <main className={classes['page']} role="alert">
      <h1 className={classes['title']}>Unexpected Application Error!</h1>
      <p className={classes['words']}>{sentenceOf(error)}</p>
      <div className={classes['actions']}>
        <Button onClick={() => location.reload()}>Reload</Button>
        <Button variant="default" component="a" href="/">
          Back to home
        </Button>
      </div>
    </main>
  )
}
