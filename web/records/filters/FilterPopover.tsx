import { cloneElement, useEffect, useEffectEvent, useId, useLayoutEffect, useState } from 'react'
import type { KeyboardEvent, ReactElement, ReactNode } from 'react'
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
    if (!opened) return
    void loadFloating().then((isLoaded) => {
      if (!isLoaded) giveUp()
    })
  }, [opened])
  // until the popover is loaded, only its button is shown; then the button is mounted anew, and `targetAttribute` keeps the focus on it
  if (!parts)
    return (
      <>
        {cloneElement(target, { [targetAttribute]: id, 'aria-haspopup': 'dialog', 'aria-expanded': opened })}
        {opened && <Opening onCancel={onClose} />}
      </>
    )
  const { Popover } = parts
  // Mantine's `closeOnEscape` would move the focus before the content gets the key, and an input applies its value when it loses the focus
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    onClose()
    document.querySelector<HTMLElement>(`[${targetAttribute}="${CSS.escape(id)}"]`)?.focus({ preventScroll: true })
  }
  return (
    <Popover opened={opened} onDismiss={onClose} onClose={onClose} position="bottom-start" width={300} trapFocus closeOnEscape={false}>
      <Popover.Target>{cloneElement(target, { [targetAttribute]: id })}</Popover.Target>
      {opened && !isMounted && <Opening onCancel={onClose} />}
      <Popover.Dropdown className={classes['popover'] ?? ''} aria-label={label} aria-modal onKeyDown={closeOnEscape}>
        <ContentMount onChange={setMounted} />
        {children}
      </Popover.Dropdown>
    </Popover>
  )
}

/** While this component is mounted, the pressed keys wait for the content of the popover, which Mantine mounts some frames later. */
function Opening({ onCancel }: { onCancel: () => void }) {
  useOpening(onCancel)
  return null
}

/**
 * Reports when the content of the popover is mounted. Also returns the focus when the popover closes: the children are loaded too late to
 * know which element had the focus before.
 */
function ContentMount({ onChange }: { onChange: (isMounted: boolean) => void }) {
  useReturnFocus()
  useLayoutEffect(() => {
    onChange(true)
    return () => onChange(false)
  }, [onChange])
  return null
}
