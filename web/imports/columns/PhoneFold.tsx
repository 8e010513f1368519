import { useMediaQuery } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './PhoneFold.module.css'

/** Settings that are folded on phones, so that the columns are near the top. `current` describes the current setting. */
export function PhoneFold({ title, current, children }: { title: string; current?: string; children: ReactNode }) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  if (!isPhone) return children
  return (
    <details className={classes['fold']}>
      <summary>
        <span>
          {title}
          {current && <span className={classes['current']}>{current}</span>}
        </span>
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
      </summary>
      <div className={classes['content']}>{children}</div>
    </details>
  )
}
