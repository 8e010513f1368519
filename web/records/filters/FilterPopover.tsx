import { Popover } from '@mantine/core'
import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react'
import { startOpening } from '#web/lib/openings.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './Filters.module.css'

type FilterPopoverProps = { label: string; opened: boolean; onClose: () => void; target: ReactNode; children: ReactNode }

/** The popover of a filter, which opens below `target`. `aria-modal` disables the shortcuts of the list while the popover is open. */
export function FilterPopover({ label, opened, onClose, target, children }: FilterPopoverProps) {
  const onMount = useOpeningUntilMount(opened, onClose)
  return (
    <Popover opened={opened} onDismiss={onClose} onClose={onClose} position="bottom-start" width={300} trapFocus>
      {target}
      <Popover.Dropdown className={classes['popover'] ?? ''} aria-label={label} aria-modal>
        <ReturnFocus />
        {children}
        <MountReport onMount={onMount} />
      </Popover.Dropdown>
    </Popover>
  )
}

/**
 * Lets keys wait from the moment when the popover opens until its content is mounted, because Mantine mounts the content some frames later.
 * Returns the function for `MountReport`.
 */
function useOpeningUntilMount(opened: boolean, onCancel: () => void): () => () => void {
  const isMounted = useRef(false)
  const endOpening = useRef(() => {})
  const cancel = useEffectEvent(onCancel)
  useLayoutEffect(() => {
    if (!opened || isMounted.current) return undefined
    const end = startOpening(() => cancel())
    endOpening.current = end
    return end
  }, [opened])
  return () => {
    isMounted.current = true
    endOpening.current()
    return () => {
      isMounted.current = false
    }
  }
}

/** Calls `onMount` when the content before it is mounted, and what it returned when the content is gone. */
function MountReport({ onMount }: { onMount: () => () => void }) {
  const report = useEffectEvent(onMount)
  useLayoutEffect(() => report(), [])
  return null
}

/** This component is rendered before the children are loaded, so it can store which element had the focus before. */
function ReturnFocus() {
  useReturnFocus()
  return null
}
