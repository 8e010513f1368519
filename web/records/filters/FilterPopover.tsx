import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './Filters.module.css'

type FilterPopoverProps = { label: string; opened: boolean; onClose: () => void; target: ReactNode; children: ReactNode }

/** What floats under a filter while it is put together. Keys mean nothing to the list meanwhile. */
export const FilterPopover = ({ label, opened, onClose, target, children }: FilterPopoverProps) => (
  <Popover opened={opened} onDismiss={onClose} onClose={onClose} position="bottom-start" width={300} trapFocus>
    {target}
    <Popover.Dropdown className={classes['popover'] ?? ''} aria-label={label} aria-modal>
      <FocusBack />
      {children}
    </Popover.Dropdown>
  </Popover>
)

/** Is there as long as the popover is, and before what is fetched into it. */
function FocusBack() {
  useReturnFocus()
  return null
}
