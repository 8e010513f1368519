import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import classes from './Warning.module.css'

type WarningProps = {
  title: string
  /** When the warning appears, it takes the focus, which scrolls it into view. */
  takesFocus?: boolean
  children: ReactNode
}

/** A warning in a form or above a record. */
export function Warning({ title, takesFocus = true, children }: WarningProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  return (
    <div ref={box} className={classes['warning']} role="alert" tabIndex={-1}>
      <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
      <div className={classes['text']}>
        <p className={classes['title']}>{title}</p>
        {children}
      </div>
    </div>
  )
}
