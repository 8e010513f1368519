import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SelectionBar.module.css'

type SelectionBarProps = {
  count: string
  onClear: () => void
  /** A button that selects more rows. */
  more?: ReactNode
  children: ReactNode
}

/** The bar with the bulk actions of the selected rows, at the bottom of the list. */
export function SelectionBar({ count, onClear, more, children }: SelectionBarProps) {
  return (
    <section className={classes['bar']} aria-label="Selection" data-selection-bar>
      <output className={classes['count']}>{count} selected</output>
      {more}
      <span className={classes['divider']} />
      {children}
      <button type="button" className={classes['clear']} aria-label="Clear selection" onClick={onClear}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </button>
    </section>
  )
}
