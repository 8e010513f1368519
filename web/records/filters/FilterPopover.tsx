import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './Filters.module.css'

type FilterPopoverProps = { label: string; opened: boolean; onClose: () => void; target: ReactNode; children: ReactNode }

/** The popover of a filter. While it is open, the shortcuts of the list are disabled. */
export const FilterPopover = ({ label, opened, onClose, target, children }: FilterPopoverProps) => (
  <Popover opened={opened} onDismiss={onClose} onClose={onClose} position="bottom-start" width={300} trapFocus>
    {target}
    <Popover.Dropdown className={classes['popover'] ?? ''} aria-label={label} aria-modal>
      <ReturnFocus />
      {children}
    </Popover.Dropdown>
  </Popover>
)

/** Rendered before the children are loaded, so that it stores the element that had the focus. */
function ReturnFocus() {
  useReturnFocus()
  return null
}
