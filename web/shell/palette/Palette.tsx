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
  const { typed, setTyped, words, groups, isFirstFinal, isSearching, error, noRecordFound } = usePalette()
  const dialog = useModalDialog()
  const listId = useId()
  const entries = groups.flatMap((group) => group.entries)
  const [selectedId, setSelectedId] = useState<string>()
  const active = entries.find(({ id }) => id === selectedId) ?? entries[0]
  const choose = (entry: Entry, inNewTab: boolean): void => {
    dialog.current?.close() // before the action runs, because closing restores the focus
    onClose()
    if (inNewTab && entry.to) window.open(entry.to, '_blank', 'noopener')
    else entry.run()
  }
  const setEnterPending = usePendingEnter(!isSearching, () => active && choose(active, false))
  const keyHandlers: Record<string, (withMod: boolean) => void> = {
    ArrowDown: () => setSelectedId(findNeighbourId(entries, active, 1)),
    ArrowUp: () => setSelectedId(findNeighbourId(entries, active, -1)),
    Enter: (inNewTab) => {
      const isFinal = isFirstFinal || selectedId !== undefined || !isSearching
      if (active && isFinal) choose(active, inNewTab)
      else setEnterPending(true)
    },
    k: onClose,
  }
  const press = (event: KeyboardEvent): void => {
    const withMod = event.ctrlKey || event.metaKey
    const act = keyHandlers[event.key]
    if (!act || event.nativeEvent.isComposing || (event.key === 'k' && !withMod)) return
    event.preventDefault()
    act(withMod)
  }
  useScrollToActive(dialog, active?.id)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles the keys of its input and clicks on the backdrop
    <dialog
      ref={dialog}
      className={classes['palette']}
      aria-label="Search and commands"
      aria-modal="true"
      onClose={() => dialog.current?.open || onClose()}
      onKeyDown={press}
      onClick={(event) => event.target === dialog.current && onClose()} // on the backdrop
    >
      <div className={classes['box']}>
        <div className={classes['search']}>
          <IconSearch size={20} stroke={1.75} aria-hidden />
          <input
            role="combobox"
            aria-label="Search and commands"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={active && `${listId} ${active.id}`.replaceAll(' ', '-')}
            aria-autocomplete="list"
            placeholder="Search or type a command"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
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
              activeId={active?.id}
              listId={listId}
              onChoose={choose}
              onPoint={setSelectedId}
            />
          ))}
        </div>
        {error && <p className={classes['note']} role="alert">{`Records could not be searched. ${describeError(error)}`}</p>}
        {noRecordFound && <p className={classes['note']}>{`No record has “${typed.trim()}” in it.`}</p>}
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

/** Returns the id of the next or previous entry. The first entry follows the last. */
const findNeighbourId = (entries: readonly Entry[], active: Entry | undefined, step: 1 | -1): string | undefined =>
  entries.at((entries.findIndex(({ id }) => id === active?.id) + step) % entries.length)?.id

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

/** Delays Enter until the search has finished, then opens the first entry. */
function usePendingEnter(hasAnswered: boolean, enter: () => void) {
  const [isPending, setPending] = useState(false)
  const ready = isPending && hasAnswered
  useEffect(() => {
    if (ready) enter()
    // oxlint-disable-next-line react/exhaustive-deps -- runs once per search
  }, [ready])
  return setPending
}

function useScrollToActive(dialog: { readonly current: HTMLElement | null }, active: string | undefined): void {
  useEffect(() => {
    if (active) dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [dialog, active])
}
