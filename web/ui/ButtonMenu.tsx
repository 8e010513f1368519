import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'

type ButtonMenuProps = {
  /** The button that opened the menu. It gets the focus when the menu closes. */
  button: HTMLElement
  /** The name of the menu: "More for Offer.pdf". */
  label: string
  className?: string | undefined
  /** Where a click with the right mouse button opens the menu, in px of the window. Without it, the menu is at the button. */
  at?: { x: number; y: number } | undefined
  onClose: () => void
  /** The menu items. */
  children: ReactNode
}

/**
 * A menu that all rows of a list share, because one menu per row is slow. The menu is shown next to an invisible element, which is over the
 * pressed button or at the position of the mouse.
 */
export function ButtonMenu({ button, label, className = '', at, onClose, children }: ButtonMenuProps) {
  const { left, top, width, height } = at ? new DOMRect(at.x, at.y) : button.getBoundingClientRect()
  const close = () => {
    button.focus({ preventScroll: true })
    onClose()
  }
  return (
    <Menu opened onClose={close} position={at ? 'bottom-start' : 'bottom-end'} width={210} returnFocus={false}>
      <Menu.Target>
        <span aria-hidden style={{ position: 'fixed', left, top, width, height, overflow: 'hidden', opacity: 0, pointerEvents: 'none' }}>
          {label}
        </span>
      </Menu.Target>
      <Menu.Dropdown className={className}>{children}</Menu.Dropdown>
    </Menu>
  )
}
