import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { describeError } from '#web/lib/toasts.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './Palette.module.css'
import { PaletteDialog, useModalDialog } from './PaletteDialog.tsx'
import { PaletteGroup } from './PaletteGroup.tsx'
import { storeRecentCommand } from './recentCommands.ts'
import { usePalette, type Entry } from './usePalette.ts'

/**
 * The command palette: a dialog that searches records, pages and actions. Each result is an entry, and entries are listed in groups.
 * `isAnimated` is false when the palette replaces the dialog that was shown while the code of the palette was loading.
 */
export function Palette({ isAnimated, onClose }: { isAnimated: boolean; onClose: () => void }) {
  const { typedText, setTypedText, words, groups, isFirstEntrySettled, isSearching, error, noRecordFound } = usePalette()
  const dialog = useModalDialog()
  const listId = useId()
  const entries = groups.flatMap((group) => group.entries)
  /** Undefined until the user moves with the arrow keys or the pointer. */
  const [selectedId, setSelectedId] = useState<string>()
  const activeEntry = entries.find(({ id }) => id === selectedId) ?? entries[0]
  const choose = (entry: Entry, { inNewTab } = { inNewTab: false }): void => {
    dialog.current?.close() // before the action runs, because closing restores the focus
    onClose()
    if ('action' in entry) storeRecentCommand(entry.action.label)
    if (inNewTab && entry.address) window.open(entry.address, '_blank', 'noopener')
    else entry.run()
  }
  const setEnterPending = usePendingEnter(!isSearching, () => activeEntry && choose(activeEntry))
  /** The functions for the keys in the text field. `hasMod` is true when Ctrl or Cmd is pressed too. */
  const keyHandlers: Record<string, (hasMod: boolean) => void> = {
    ArrowDown: () => setSelectedId(findNeighbourId(entries, activeEntry, 1)),
    ArrowUp: () => setSelectedId(findNeighbourId(entries, activeEntry, -1)),
    Enter: (hasMod) => {
      const isActiveEntrySettled = isFirstEntrySettled || activeEntry?.id === selectedId || !isSearching
      if (activeEntry && isActiveEntrySettled) choose(activeEntry, { inNewTab: hasMod })
      else setEnterPending(true)
    },
    k: onClose, // only with Ctrl or Cmd
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const hasMod = event.ctrlKey || event.metaKey
    const handler = keyHandlers[event.key]
    if (!handler || event.nativeEvent.isComposing || (event.key === 'k' && !hasMod)) return
    event.preventDefault()
    handler(hasMod)
  }
  useScrollToActive(dialog, activeEntry?.id)

  return (
    <PaletteDialog
      dialog={dialog}
      typedText={typedText}
      onType={(text) => {
        setTypedText(text)
        setSelectedId(undefined)
        setEnterPending(false)
      }}
      onKeyDown={onKeyDown}
      onClose={onClose}
      isAnimated={isAnimated}
      inputProps={{
        role: 'combobox',
        'aria-expanded': true,
        'aria-controls': listId,
        'aria-activedescendant': activeEntry && `${listId} ${activeEntry.id}`.replaceAll(' ', '-'),
        'aria-autocomplete': 'list',
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its options hold more than text */}
      <div id={listId} className={classes['list']} role="listbox" aria-label="Results" aria-busy={isSearching}>
        {groups.map((group) => (
          <PaletteGroup
            key={group.label}
            group={group}
            words={words}
            activeId={activeEntry?.id}
            listId={listId}
            onChoose={choose}
            onPoint={setSelectedId}
          />
        ))}
      </div>
      {error && <p className={classes['note']} role="alert">{`Records could not be searched. ${describeError(error)}`}</p>}
      {noRecordFound && <p className={classes['note']}>{`No record has “${typedText.trim()}” in it.`}</p>}
      <div className={classes['foot']} aria-hidden="true">
        <Hint keys={['↑', '↓']}>to move</Hint>
        <Hint keys={['Enter']}>to open</Hint>
        <Hint keys={[formatKeys('mod+Enter').join(' ')]}>in a new tab</Hint>
      </div>
      <output className={classes['screenReaderOnly']}>{isSearching ? '' : formatCount(entries.length, 'result')}</output>
    </PaletteDialog>
  )
}

/** Returns the id of the next (1) or previous (-1) entry. The first entry follows the last entry. */
function findNeighbourId(entries: readonly Entry[], activeEntry: Entry | undefined, direction: 1 | -1): string | undefined {
  const activeIndex = entries.findIndex(({ id }) => id === activeEntry?.id)
  return entries.at((activeIndex + direction) % entries.length)?.id // at(-1) is the last entry
}

const Hint = ({ keys, children }: { keys: string[]; children: string }) => (
  <span>
    <Shortcut keys={keys} /> {children}
  </span>
)

/** Delays Enter during a search: after `setPending(true)`, `openActive` is called once, when the search has finished. */
function usePendingEnter(isSearchFinished: boolean, openActive: () => void) {
  const [isPending, setPending] = useState(false)
  const shouldOpen = isPending && isSearchFinished
  useEffect(() => {
    if (!shouldOpen) return
    setPending(false)
    openActive()
    // oxlint-disable-next-line react/exhaustive-deps -- `openActive` is new on every render, but must run once per search
  }, [shouldOpen])
  return setPending
}

function useScrollToActive(dialog: { readonly current: HTMLElement | null }, activeId: string | undefined): void {
  useEffect(() => {
    if (activeId) dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [dialog, activeId])
}
