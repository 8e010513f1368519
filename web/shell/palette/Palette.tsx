import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { describeError } from '#web/lib/toasts.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './Palette.module.css'
import { PaletteGroup } from './PaletteGroup.tsx'
import { usePalette, type Entry } from './usePalette.ts'

/** The palette: a dialog that searches records, pages and actions. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { typedText, setTypedText, words, groups, isFirstFinal, isSearching, error, noRecordFound } = usePalette()
  const dialog = useModalDialog()
  const listId = useId()
  const entries = groups.flatMap((group) => group.entries)
  const [selectedId, setSelectedId] = useState<string>()
  const activeEntry = entries.find(({ id }) => id === selectedId) ?? entries[0]
  const choose = (entry: Entry, inNewTab: boolean): void => {
    dialog.current?.close() // before the action runs, because closing restores the focus
    onClose()
    if (inNewTab && entry.to) window.open(entry.to, '_blank', 'noopener')
    else entry.run()
  }
  const setEnterPending = usePendingEnter(!isSearching, () => activeEntry && choose(activeEntry, false))
  const keyHandlers: Record<string, (hasMod: boolean) => void> = {
    ArrowDown: () => setSelectedId(findNeighbourId(entries, activeEntry, 1)),
    ArrowUp: () => setSelectedId(findNeighbourId(entries, activeEntry, -1)),
    Enter: (hasMod) => {
      const isActiveFinal = isFirstFinal || selectedId !== undefined || !isSearching
      if (activeEntry && isActiveFinal) choose(activeEntry, hasMod)
      else setEnterPending(true)
    },
    k: onClose,
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the dialog handles the keys of its input and clicks on the backdrop
    <dialog
      ref={dialog}
      className={classes['palette']}
      aria-label="Search and commands"
      aria-modal="true"
      onClose={() => dialog.current?.open || onClose()}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === dialog.current && onClose()} // a click on the backdrop has the dialog as its target
    >
      <div className={classes['box']}>
        <div className={classes['search']}>
          <IconSearch size={20} stroke={1.75} aria-hidden />
          <input
            role="combobox"
            aria-label="Search and commands"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={activeEntry && `${listId} ${activeEntry.id}`.replaceAll(' ', '-')}
            aria-autocomplete="list"
            placeholder="Search or type a command"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={typedText}
            onChange={(event) => {
              setTypedText(event.currentTarget.value)
              setSelectedId(undefined)
              setEnterPending(false)
            }}
          />
          <span className={classes['esc']}>
            <Shortcut keys={['Esc']} />
          </span>
          <button type="button" className={classes['cancel']} onClick={onClose}>
            Cancel
          </button>
        </div>
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
      </div>
    </dialog>
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

/** Opens the native dialog as a modal: it traps the focus, closes on Escape and restores the focus. */
function useModalDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return dialog
}

/** Delays Enter during a search: after `setPending(true)`, `openFirst` is called when the search has finished. */
function usePendingEnter(isSearchFinished: boolean, openFirst: () => void) {
  const [isPending, setPending] = useState(false)
  const shouldOpen = isPending && isSearchFinished
  useEffect(() => {
    if (shouldOpen) openFirst()
    // oxlint-disable-next-line react/exhaustive-deps -- `openFirst` is new on every render, but must run once per search
  }, [shouldOpen])
  return setPending
}

function useScrollToActive(dialog: { readonly current: HTMLElement | null }, activeId: string | undefined): void {
  useEffect(() => {
    if (activeId) dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [dialog, activeId])
}
