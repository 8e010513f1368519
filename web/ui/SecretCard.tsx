import { useLayoutEffect, useId, useRef, type ReactNode } from 'react'
import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { CopyableText } from './CopyableText.tsx'
import classes from './SecretCard.module.css'

type SecretCardProps = {
  title: ReactNode
  /** Says that the secret is shown only now. */
  warning: string
  secret: string
  /** The label of the button that copies: "Copy API key". */
  copyLabel: string
  /** The label of the button with which the user confirms that the secret is saved. */
  confirmLabel: string
  onConfirm: () => void
}

/** Shows a new secret, until the user confirms that it is saved. Takes the focus when it appears. */
export function SecretCard({ title, warning, secret, copyLabel, confirmLabel, onConfirm }: SecretCardProps) {
  const card = useRef<HTMLElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    card.current?.scrollIntoView({ block: 'nearest' })
    card.current?.focus()
  }, [])
  return (
    <section ref={card} className={classes['card']} tabIndex={-1} aria-labelledby={titleId}>
      <h2 className={classes['title']} id={titleId}>
        {title}
      </h2>
      <p className={classes['warning']}>
        <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
        {warning}
      </p>
      <CopyableText text={secret} label={copyLabel} className={classes['secret']} />
      <Button className={classes['confirm']} onClick={onConfirm}>
        {confirmLabel}
      </Button>
    </section>
  )
}
