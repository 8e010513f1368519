import { Tooltip } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { keyCaps } from '#web/lib/shortcuts.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { loadPaletteAhead, paletteOpen } from './palette/state.ts'
import classes from './Sidebar.module.css'

/** Opens the palette; on the rail and on phones as well as with Ctrl/Cmd+K. */
export function SearchButton({ rail = false, onOpen }: { rail?: boolean; onOpen?: () => void }) {
  const keys = keyCaps('mod+k').join(' ')
  const open = (): void => {
    onOpen?.()
    paletteOpen.set(true)
  }
  return (
    <Tooltip label={`Search (${keys})`} position="right" disabled={!rail}>
      <button
        type="button"
        className={classes['search']}
        aria-keyshortcuts="Control+K"
        aria-haspopup="dialog"
        onClick={open}
        onPointerEnter={loadPaletteAhead}
        onFocus={loadPaletteAhead}
      >
        <IconSearch size={16} stroke={1.75} />
        <span className={classes['label']}>Search</span>
        {!rail && (
          <span aria-hidden="true">
            <Shortcut keys={[keys]} />
          </span>
        )}
      </button>
    </Tooltip>
  )
}
