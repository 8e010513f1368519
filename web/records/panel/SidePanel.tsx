import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconExternalLink, IconLayoutSidebarRight, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import type { Icon } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { useActions } from '#web/lib/actions.ts'
import { isUnwantedRepeat } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { visibleRecordIds } from '#web/records/panel/visibleRecords.ts'
import classes from './SidePanel.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'

/** `keys` are separated by spaces, as in `useActions`: "Delete #". */
type PanelShortcut = { keys: string; label: string; run: () => void }

type SidePanelProps = {
  /** The name of the record kind: "deal". */
  noun: string
  /** The id of the open record. */
  id: string
  /** The title of the record; undefined while it is being loaded. */
  title: string | undefined
  /** The panel fills the page instead of covering a part of the list. */
  isFullPage: boolean
  onFullPageChange: (isFullPage: boolean) => void
  /** Opens another record of the list. */
  onOpen: (id: string) => void
  onClose: () => void
  /** Further shortcuts, in addition to those of the panel itself. */
  shortcuts?: readonly PanelShortcut[]
  /** Further buttons in the header. */
  buttons?: ReactNode
  children: ReactNode
}

/**
 * A panel with one record over its list. Buttons and shortcuts open the previous and next record of the list. When the panel closes, the
 * focus returns to where it was before.
 */
export function SidePanel(props: SidePanelProps) {
  const { noun, id, title, isFullPage, onFullPageChange, onOpen, onClose, shortcuts = [], buttons, children } = props
  const announcementId = useId()
  const panel = usePanelFocus(id)
  const ids = useStore(visibleRecordIds)
  const index = ids.indexOf(id)
  const [previous, next] = index < 0 ? [] : [ids[index - 1], ids[index + 1]]
  const open = (otherId: string | undefined): void => {
    if (otherId) onOpen(otherId)
  }
  const allShortcuts = [
    ...shortcuts,
    { keys: 'k', label: `Previous ${noun}`, run: () => open(previous) },
    { keys: 'j', label: `Next ${noun}`, run: () => open(next) },
    { keys: 'Escape', label: `Close ${noun}`, run: onClose },
  ]
  useActions(allShortcuts)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the shortcuts of its content
    <aside
      ref={panel}
      className={classes['panel']}
      data-page={isFullPage || undefined}
      aria-label={capitalise(noun)}
      aria-describedby={announcementId}
      tabIndex={-1}
      onKeyDown={(event) => runShortcut(event, allShortcuts)}
    >
      <div className={classes['header']}>
        <span className={classes['kind']}>{capitalise(noun)}</span>
        {/* the focus stays on the panel when it shows another record, so screen readers announce the record only because of this */}
        <VisuallyHidden id={announcementId} aria-live="polite">
          {title && `${capitalise(noun)}: ${title}`}
        </VisuallyHidden>
        <HeaderButton label={`Previous ${noun}`} keys="K" icon={IconArrowUp} disabled={!previous} onClick={() => open(previous)} />
        <HeaderButton label={`Next ${noun}`} keys="J" icon={IconArrowDown} disabled={!next} onClick={() => open(next)} />
        <span className={classes['hiddenOnPhone']}>
          {isFullPage ? (
            <HeaderButton label="Show beside the list" icon={IconLayoutSidebarRight} onClick={() => onFullPageChange(false)} />
          ) : (
            <HeaderButton label="Open as page" icon={IconExternalLink} onClick={() => onFullPageChange(true)} />
          )}
        </span>
        {buttons}
        <HeaderButton label="Close" keys="Esc" icon={IconX} onClick={onClose} />
      </div>
      <div className={classes['body']} key={id}>
        {children}
      </div>
    </aside>
  )
}

/** The shortcuts of the list that are disabled while the focus is in the panel. */
const listKeys = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'Enter', 'x']
/**
 * The elements that handle keys themselves: text fields, open menus, buttons whose menu is open, and dialogs, whose events React passes on to
 * the panel that shows them.
 */
const keyboardControls =
  'input, textarea, select, [contenteditable=true], [role=menu], [role=listbox], [aria-expanded=true], [aria-modal=true]'

/** Handles shortcuts while the focus is in the panel, so that the list does not handle them. */
function runShortcut(event: KeyboardEvent, shortcuts: readonly PanelShortcut[]): void {
  const { target, key } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (target instanceof Element && target.closest(keyboardControls)) return
  const shortcut = shortcuts.find(({ keys }) => keys.split(' ').includes(key))
  if (!shortcut && !listKeys.includes(key)) return
  event.stopPropagation()
  if (!shortcut) return
  event.preventDefault()
  if (!isUnwantedRepeat(event)) shortcut.run()
}

type PanelTitleProps = {
  children: string
  /** Renders the heading, by default unchanged. */
  renderHeading?: (heading: ReactNode) => ReactNode
}

/** The title of the record, in the panel and in the browser tab. */
export function PanelTitle({ children, renderHeading = (heading) => heading }: PanelTitleProps) {
  useEffect(() => {
    const previousTitle = document.title
    document.title = `${children} - Foyer`
    return () => {
      document.title = previousTitle
    }
  }, [children])
  return renderHeading(<h2 className={classes['title']}>{children}</h2>)
}

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

/** Shown while the record is being loaded. */
export const PanelSkeleton = () => (
  <output className={classes['waiting']} aria-label="Loading">
    {[0.7, 0.5, 0.8, 0.45, 0.6, 0.75].map((width) => (
      <span key={width} style={{ width: `${width * 100}%` }} />
    ))}
  </output>
)

/** Shown if there is no record with the id of the URL. */
export const MissingRecord = ({ noun }: { noun: string }) => (
  <div role="alert">
    <PanelTitle>{`This ${noun} is not here`}</PanelTitle>
    <p className={classes['message']}>It may have been deleted; then it is in the trash for 30 days.</p>
  </div>
)

type HeaderButtonProps = { label: string; keys?: string; icon: Icon; disabled?: boolean; onClick: () => void }

function HeaderButton({ label, keys, icon: Picture, disabled = false, onClick }: HeaderButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <ActionIcon aria-label={label} disabled={disabled} onClick={onClick}>
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
