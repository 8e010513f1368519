import { IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { countOf } from '#web/lib/format.ts'
import { keyCaps } from '#web/lib/shortcuts.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './Palette.module.css'
import { PaletteGroup } from './PaletteGroup.tsx'
import { usePalette, type Entry } from './usePalette.ts'

/** Finds every record, every screen and everything that can be done here. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { typed, type, words, groups, firstIsSure, looking, failure, noRecord } = usePalette()
  const dialog = useModalDialog()
  const listId = useId()
  const entries = groups.flatMap((group) => group.entries)
  const [chosen, setChosen] = useState<string>()
  const active = entries.find(({ id }) => id === chosen) ?? entries[0]
  const choose = (entry: Entry, inNewTab: boolean): void => {
    dialog.current?.close() // gives the focus back, before the action may take it elsewhere
    onClose()
    if (inNewTab && entry.to) window.open(entry.to, '_blank', 'noopener')
    else entry.run()
  }
  const [entering, setEntering] = useEnterWhenFound(!looking, () => active && choose(active, false))
  const keys: Record<string, (withMod: boolean) => void> = {
    ArrowDown: () => setChosen(besides(entries, active, 1)),
    ArrowUp: () => setChosen(besides(entries, active, -1)),
    Enter: (inNewTab) => {
      const isSure = firstIsSure || chosen !== undefined || !looking
      if (active && isSure) choose(active, inNewTab)
      else setEntering(true)
    },
    k: onClose,
  }
  const press = (event: KeyboardEvent): void => {
    const withMod = event.ctrlKey || event.metaKey
    const act = keys[event.key]
    if (!act || event.nativeEvent.isComposing || (event.key === 'k' && !withMod)) return
    event.preventDefault()
    act(withMod)
  }
  useActiveInSight(dialog, active?.id)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the field in it, clicks beside it
    <dialog
      ref={dialog}
      className={classes['palette']}
      aria-label="Search and commands"
      aria-modal="true"
      onClose={() => dialog.current?.open || onClose()}
      onKeyDown={press}
      onClick={(event) => event.target === dialog.current && onClose()} // beside it
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
              type(event.currentTarget.value)
              setChosen(undefined)
              setEntering(false)
            }}
          />
          <span className={classes['esc']}>
            <Shortcut keys={['Esc']} />
          </span>
          <button type="button" className={classes['cancel']} onClick={onClose}>
            Cancel
          </button>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- its lines are more than text */}
        <div id={listId} className={classes['list']} role="listbox" aria-label="Results" aria-busy={looking} data-waiting={entering}>
          {groups.map((group) => (
            <PaletteGroup
              key={group.label}
              group={group}
              words={words}
              active={active?.id}
              listId={listId}
              onChoose={choose}
              onPoint={setChosen}
            />
          ))}
        </div>
        {failure && <p className={classes['note']} role="alert">{`Records could not be searched. ${sentenceOf(failure)}`}</p>}
        {noRecord && <p className={classes['note']}>{`No record has “${typed.trim()}” in it.`}</p>}
        <div className={classes['foot']} aria-hidden="true">
          <Hint keys={['↑', '↓']}>to move</Hint>
          <Hint keys={['Enter']}>to open</Hint>
          <Hint keys={[keyCaps('mod+Enter').join(' ')]}>in a new tab</Hint>
        </div>
        <output className={classes['told']}>{looking ? '' : countOf(entries.length, 'result')}</output>
      </div>
    </dialog>
  )
}

/** The line below or above, around the ends. */
const besides = (entries: readonly Entry[], active: Entry | undefined, step: 1 | -1): string | undefined =>
  entries.at((entries.findIndex(({ id }) => id === active?.id) + step) % entries.length)?.id

const Hint = ({ keys, children }: { keys: string[]; children: string }) => (
  <span>
    <Shortcut keys={keys} /> {children}
  </span>
)

/** A dialog of the browser's own: it holds the focus, closes with Escape and gives the focus back. */
function useModalDialog() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return dialog
}

/** Enter that comes before the answer waits for it, so that the line under the eye is the one that opens. */
function useEnterWhenFound(found: boolean, enter: () => void) {
  const [waiting, setWaiting] = useState(false)
  const ready = waiting && found
  useEffect(() => {
    if (ready) enter()
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the answer is there
  }, [ready])
  return [waiting, setWaiting] as const
}

function useActiveInSight(dialog: { readonly current: HTMLElement | null }, active: string | undefined): void {
  useEffect(() => {
    if (active) dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [dialog, active])
}
