import { useEffect, useRef } from 'react'
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useUnsavedWork } from '#web/lib/forms.ts'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { useForgetCreatedKey, type CreatedKey } from './queries.ts'
import classes from './ApiKeysPage.module.css'

/** Shows a key that was just created, once, until the user confirms that it is saved. */
export function CreatedKeyCard({ created }: { created: CreatedKey }) {
  const card = useRef<HTMLElement>(null)
  const forget = useForgetCreatedKey()
  useUnsavedWork(true)
  useEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
    card.current?.focus()
  }, [])
  const confirm = (): void => {
    forget()
    document.querySelector<HTMLElement>('[data-key-name]')?.focus()
  }
  return (
    <section ref={card} className={classes['created']} tabIndex={-1} aria-labelledby="created-key">
      <h2 className={classes['head']} id="created-key">
        Your new API key: <span dir="auto">{created.name}</span>
      </h2>
      <p className={classes['warning']}>
        <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
        Copy this key now. You will not be able to see it again.
      </p>
      <div className={classes['key']}>
        <code>{created.key}</code>
        <CopyButton text={created.key} label="Copy API key" size={32} />
      </div>
      <div className={classes['actions']}>
        <Button onClick={confirm}>I&apos;ve saved this key</Button>
      </div>
    </section>
  )
}
