import { Popover } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './Filters.module.css'

type FilterPopoverProps = { label: string; opened: boolean; onClose: () => void; target: ReactNode; children: ReactNode }

/** The popover of a filter, which opens below `target`. `aria-modal` disables the shortcuts of the list while the popover is open. */
export const FilterPopover = ({ label, opened, onClose, target, children }: FilterPopoverProps) => (
  <Popover opened={opened} onDismiss={onClose} onClose={onClose} position="bottom-start" width={300} trapFocus>
    {target}
    <Popover.Dropdown className={classes['popover'] ?? ''} aria-label={label} aria-modal>
      <ReturnFocus />
      {children}
    </Popover.Dropdown>
  </Popover>
)

/** This component is rendered before the children are loaded, so it can store which element had the focus before. */
function ReturnFocus() {
  useReturnFocus()
  return null
}
