import { Button } from '@mantine/core'
import { IconChecks, IconX } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import classes from './SelectionBar.module.css'

type SelectionBarProps = {
  /** The number of selected rows, as text. */
  count: string
  onClear: () => void
  /** Selects all loaded rows. Shown on phones, which have no header with a checkbox; undefined if all are selected. */
  onSelectLoaded?: (() => void) | undefined
  /** The button that selects all rows that match the search text and the filter. */
  selectAllButton?: ReactNode
  children: ReactNode
}

/** The bar with the bulk actions of the selected rows, at the bottom of the list. */
export function SelectionBar({ count, onClear, onSelectLoaded, selectAllButton, children }: SelectionBarProps) {
  return (
    <section className={classes['bar']} aria-label="Selection" data-selection-bar>
      <output className={classes['count']}>{count} selected</output>
      {onSelectLoaded && (
        <span className={classes['forPhones']}>
          <SelectionButton label="Select all" icon={<IconChecks size={16} stroke={1.75} />} onClick={onSelectLoaded} />
        </span>
      )}
      {selectAllButton}
      <span className={classes['divider']} />
      {children}
      <button type="button" className={classes['clear']} aria-label="Clear selection" onClick={onClear}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </button>
    </section>
  )
}

type SelectAllButtonProps = { onClick: () => void; children: ReactNode }

/** The button that selects also the rows that are not loaded. */
export const SelectAllButton = ({ onClick, children }: SelectAllButtonProps) => (
  <button type="button" className={classes['selectAll']} onClick={onClick}>
    {children}
  </button>
)

type SelectionButtonProps = ComponentProps<'button'> & { label: string; icon: ReactNode; isDangerous?: boolean }

/** A button for a bulk action. On phones only its icon is visible; screen readers read its label. */
export function SelectionButton({ label, icon, isDangerous, ...buttonProps }: SelectionButtonProps) {
  return (
    <Button
      {...buttonProps}
      variant="subtle"
      color="gray"
      className={classes['button'] ?? ''}
      data-danger={isDangerous || undefined}
      leftSection={icon}
      aria-label={label}
    >
      {label}
    </Button>
  )
}
