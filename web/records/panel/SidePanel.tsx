import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconExternalLink, IconLayoutSidebarRight, IconX } from '@tabler/icons-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import type { Icon } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { useActions } from '#web/lib/actions.ts'
import { useStore } from '#web/lib/store.ts'
import { shownRecords } from '#web/records/panel/shownRecords.ts'
import classes from './SidePanel.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

/** `keys` has the same format as in `useActions`: `Delete #`. */
type PanelShortcut = { keys: string; label: string; run: () => void }

type SidePanelProps = {
  /** "deal" */
  noun: string
  /** The id of the open record. */
  id: string
  /** The panel fills the page instead of covering a part of the list. */
  asPage: boolean
  onPage: (asPage: boolean) => void
  /** Opens another record of the list. */
  onGo: (id: string) => void
  onClose: () => void
  /** Further shortcuts. */
  keys?: readonly PanelShortcut[]
  /** The menu in the header. */
  menu?: ReactNode
  children: ReactNode
}

/** A panel with one record over its list. Buttons and shortcuts open the previous and next record. Closing it restores the focus. */
export function SidePanel({ noun, id, asPage, onPage, onGo, onClose, keys = [], menu, children }: SidePanelProps) {
  const panel = usePanelFocus(id)
  const ids = useStore(shownRecords)
  const index = ids.indexOf(id)
  const [previous, next] = index < 0 ? [] : [ids[index - 1], ids[index + 1]]
  const go = (to: string | undefined) => to && onGo(to)
  const all = [
    ...keys,
    { keys: 'k', label: `Previous ${noun}`, run: () => go(previous) },
    { keys: 'j', label: `Next ${noun}`, run: () => go(next) },
    { keys: 'Escape', label: `Close ${noun}`, run: onClose },
  ]
  useActions(all)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the shortcuts of its content
    <aside
      ref={panel}
      className={classes['panel']}
      data-page={asPage || undefined}
      aria-label={capitalise(noun)}
      tabIndex={-1}
      onKeyDown={(event) => runShortcut(event, all)}
    >
      <div className={classes['head']}>
        <span className={classes['kind']}>{capitalise(noun)}</span>
        <HeadButton label={`Previous ${noun}`} keys="K" icon={IconArrowUp} disabled={!previous} onPress={() => go(previous)} />
        <HeadButton label={`Next ${noun}`} keys="J" icon={IconArrowDown} disabled={!next} onPress={() => go(next)} />
        <span className={classes['wide']}>
          {asPage ? (
            <HeadButton label="Show beside the list" icon={IconLayoutSidebarRight} onPress={() => onPage(false)} />
          ) : (
            <HeadButton label="Open as page" icon={IconExternalLink} onPress={() => onPage(true)} />
          )}
        </span>
        {menu}
        <HeadButton label="Close" keys="Esc" icon={IconX} onPress={onClose} />
      </div>
      <div className={classes['body']} key={id}>
        {children}
      </div>
    </aside>
  )
}

/** Shortcuts of the list that are disabled while the focus is in the panel. */
const listKeys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Enter', 'x']
const keyboardControls = 'input, textarea, select, [contenteditable=true], [role=menu], [role=listbox], [aria-expanded=true]'

/** Handles shortcuts while the focus is in the panel, so that the list does not handle them. */
function runShortcut(event: KeyboardEvent, keys: readonly PanelShortcut[]): void {
  const { target, key } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (target instanceof Element && target.closest(keyboardControls)) return
  const pressed = keys.find((each) => each.keys.split(' ').includes(key))
  if (!pressed && !listKeys.includes(key)) return
  event.stopPropagation()
  if (!pressed) return
  event.preventDefault()
  pressed.run()
}

/** The title of the record, in the panel and in the browser tab. */
export function PanelTitle({ children }: { children: string }) {
  useEffect(() => {
    const before = document.title
    document.title = `${children} - Foyer`
    return () => {
      document.title = before
    }
  }, [children])
  return <h2 className={classes['title']}>{children}</h2>
}

/** A long text. Renders nothing if it is empty. */
export const PanelText = ({ children }: { children: string }) => (children === '' ? null : <p className={classes['prose']}>{children}</p>)

type PanelSectionProps = { title: string; count?: string | undefined; action?: ReactNode; children: ReactNode }

/** A section of a panel with a heading and a line above it: "Tasks 2". */
export function PanelSection({ title, count = '', action, children }: PanelSectionProps) {
  return (
    <section className={classes['section']} aria-label={title}>
      <div className={classes['heading']}>
        <h3>{title}</h3>
        <span className={classes['count']}>{count}</span>
        {action}
      </div>
      {children}
    </section>
  )
}

/** Shown while the record is loaded. */
export const PanelSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {[0.7, 0.5, 0.8, 0.45, 0.6, 0.75].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)

/** Shown if the record of the URL does not exist. */
export const MissingRecord = ({ noun }: { noun: string }) => (
  <div role="alert">
    <PanelTitle>{`This ${noun} is not here`}</PanelTitle>
    <p className={classes['words']}>It may have been deleted; then it is in the trash for 30 days.</p>
  </div>
)

type HeadButtonProps = { label: string; keys?: string; icon: Icon; disabled?: boolean; onPress: () => void }

function HeadButton({ label, keys, icon: Picture, disabled = false, onPress }: HeadButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <ActionIcon aria-label={label} disabled={disabled} onClick={onPress}>
        <Picture size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Moves the focus to the panel whenever it shows another record, and restores the focus when the panel closes. */
function usePanelFocus(id: string) {
  const panel = useRef<HTMLElement>(null)
  useReturnFocus()
  useEffect(() => {
    if (id) panel.current?.focus({ preventScroll: true })
  }, [id])
  return panel
}
