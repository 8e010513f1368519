import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { Door } from '#web/ui/Door.tsx'
import classes from './pages.module.css'

/** For addresses inside the application that lead nowhere. */
export function NotFoundPage() {
  useDocumentTitle('Page not found - Foyer')
  return (
    <main className={classes['page']}>
      <Door />
      <h1 className={classes['title']}>Oops! Page not found</h1>
      <p className={classes['words']}>There is no room behind this door. The address may be mistyped, or what was here has been deleted.</p>
      <div className={classes['actions']}>
        <Button component="a" href="/">
          Back to home
        </Button>
      </div>
    </main>
  )
}
