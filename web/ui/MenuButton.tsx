import type { MenuProps } from '@mantine/core'
import { cloneElement, useId, useState, type ReactElement, type ReactNode } from 'react'
import { loadFloating, targetAttribute, useFloating } from './floating.ts'
import type { Floating } from './floatingParts.ts'

type MenuButtonProps = Pick<MenuProps, 'position' | 'width' | 'closeOnItemClick'> & {
  button: ReactElement<Record<string, unknown>>
  /** Returns the items of the menu. */
  children: (menu: Floating['Menu']) => ReactNode
}

/** A button with a menu. If it is pressed before the code of menus has been loaded, the menu opens when that code arrives. */
export function MenuButton({ button, children, ...menuProps }: MenuButtonProps) {
  const id = useId()
  const parts = useFloating()
  const [isOpen, setOpen] = useState(false)
  if (!parts) {
    return cloneElement(button, {
      [targetAttribute]: id,
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      // `loadFloating` resolves to true when the code has been loaded and the focus is on the new button. The menu must not open earlier,
      // because Mantine returns the focus to the element that had it when the menu opened.
      onClick: () => void loadFloating().then(setOpen),
    })
  }
  const { Menu } = parts
  return (
    <Menu {...menuProps} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(button, { [targetAttribute]: id })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  )
}
