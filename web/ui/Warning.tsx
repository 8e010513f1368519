import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import classes from './Warning.module.css'

/** Something to look at before going on. It comes into sight and takes the focus when it appears. */
export function Warning({ title, children }: { title: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className={classes['warning']} role="alert" tabIndex={-1}>
      <IconAlertTriangle size={18} stroke={1.7} aria-hidden />
      <div className={classes['words']}>
        <p className={classes['title']}>{title}</p>
        {children}
      </div>
    </div>
  )
}
