import { cloneElement, useEffect, useEffectEvent, useId, useLayoutEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useOpening } from '#web/lib/openings.ts'
import { toast } from '#web/lib/toasts.ts'
import { dropWaitingKeys } from '#web/lib/typeAhead.ts'
import { loadFloating, targetAttribute, useFloating } from '#web/ui/floating.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import classes from './Filters.module.css'

type FilterPopoverProps = {
  label: string
  opened: boolean
  onClose: () => void
  target: ReactElement<Record<string, unknown>>
  children: ReactNode
}

/** The popover of a filter, which opens below `target`. `aria-modal` disables the shortcuts of the list while the popover is open. */
export function FilterPopover({ label, opened, onClose, target, children }: FilterPopoverProps) {
  const [isMounted, setMounted] = useState(false)
  const id = useId()
  const parts = useFloating()
  const giveUp = useEffectEvent(() => {
    dropWaitingKeys()
    toast({ kind: 'error', title: 'This could not be opened', message: 'The server cannot be reached, or Foyer has been updated.' })
    onClose()
  })
  useEffect(() => {
    if (opened) void loadFloating().then((isLoaded) => isLoaded || giveUp())
  }, [opened])
  if (!parts)
    return (
      <>
        {cloneElement(target, { [targetAttribute]: id, 'aria-haspopup': 'dialog', 'aria-expanded': opened })}
        {opened && <Opening onCancel={onClose} />}
      </>
    )
  const { Popover } = parts
  return (
    <Popover opened={opened} onDismiss={onClose} onClose={onClose} position="bottom-start" width={300} trapFocus>
      <Popover.Target>{cloneElement(target, { [targetAttribute]: id })}</Popover.Target>
      {opened && !isMounted && <Opening onCancel={onClose} />}
      <Popover.Dropdown className={classes['popover'] ?? ''} aria-label={label} aria-modal>
        <ContentMount onChange={setMounted} />
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Lets keys wait while it is shown: Mantine mounts the content of a popover some frames after it was opened. */
function Opening({ onCancel }: { onCancel: () => void }) {
  useOpening(onCancel)
  return null
}

/** Is rendered before the children are loaded, so it can store which element had the focus before. Reports when the content is mounted. */
function ContentMount({ onChange }: { onChange: (isMounted: boolean) => void }) {
  useReturnFocus()
  useLayoutEffect(() => {
    onChange(true)
    return () => onChange(false)
  }, [onChange])
  return null
}
