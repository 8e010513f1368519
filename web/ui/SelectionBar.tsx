import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SelectionBar.module.css'

type SelectionBarProps = {
  count: string
  onClear: () => void
  /** How more are chosen. */
  more?: ReactNode
  children: ReactNode
}

/** What can be done with the chosen rows. It floats above the end of the list while anything is chosen. */
export function SelectionBar({ count, onClear, more, children }: SelectionBarProps) {
  return (
    <section className={classes['bar']} aria-label="Selection" data-selection-bar>
      <output className={classes['count']}>{count} selected</output>
      {more}
      <span className={classes['line']} />
      {children}
      <button type="button" className={classes['clear']} aria-label="Clear selection" onClick={onClear}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </button>
    </section>
  )
}
