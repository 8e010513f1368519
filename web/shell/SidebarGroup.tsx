import { useState, type ReactNode } from 'react'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import classes from './Sidebar.module.css'

type SidebarGroupProps = { label: string | undefined; prefix: string | undefined; rail: boolean; children: ReactNode }

/** Links that belong together. A folded group opens when the person comes to one of its screens. */
export function SidebarGroup({ label, prefix, rail, children }: SidebarGroupProps) {
  const { pathname } = useLocation()
  const inside = prefix !== undefined && pathname.startsWith(prefix)
  const [open, setOpen] = useState(true)
  const [wasInside, setWasInside] = useState(inside)
  if (inside !== wasInside) {
    setWasInside(inside)
    if (inside) setOpen(true)
  }
  const Chevron = open ? IconChevronDown : IconChevronRight
  return (
    <nav className={classes['group']} aria-label={label ?? 'Main'}>
      {label && !rail && (
        <button type="button" className={classes['groupHead']} aria-expanded={open} onClick={() => setOpen(!open)}>
          {label}
          <Chevron size={12} stroke={1.75} />
        </button>
      )}
      {(open || rail || !label) && children}
    </nav>
  )
}
