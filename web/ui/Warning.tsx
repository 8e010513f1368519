import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import classes from './Warning.module.css'

/** A warning in a form. When it appears, it takes the focus, which scrolls it into view. */
export function Warning({ title, children }: { title: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
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
