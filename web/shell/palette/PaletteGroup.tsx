import { IconCommand, IconFile } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { findKindDisplay, type KindDisplay } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { formatKeys } from '#web/lib/shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { splitAndCutStart, splitByMarks, splitByMatch, type Piece } from './matching.ts'
import classes from './Palette.module.css'
import type { Entry, Group } from './usePalette.ts'

type PaletteGroupProps = {
  group: Group
  /** The typed words. Matches are shown in bold. */
  words: readonly string[]
  /** The id of the entry that Enter opens. */
  activeId: string | undefined
  listId: string
  onChoose: (entry: Entry, options: { inNewTab: boolean }) => void
  /** Called when the pointer moves over an entry that is not active. */
  onPoint: (id: string) => void
}

/** A group of palette entries with a heading. */
export function PaletteGroup({ group: { label, entries }, words, activeId, listId, onChoose, onPoint }: PaletteGroupProps) {
  const headId = `${listId}-${label}`.replaceAll(' ', '-')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a listbox group has no element of its own
    <div role="group" aria-labelledby={headId}>
      <div id={headId} className={classes['head']} role="presentation">
        {label}
      </div>
      {entries.map((entry) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input above handles the keys
        <div
          key={entry.id}
          id={`${listId} ${entry.id}`.replaceAll(' ', '-')}
          className={classes['entry']}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <option> can hold only text
          role="option"
          tabIndex={-1}
          aria-selected={entry.id === activeId}
          onPointerMove={() => entry.id !== activeId && onPoint(entry.id)}
          onClick={(event: MouseEvent) => onChoose(entry, { inNewTab: event.ctrlKey || event.metaKey })}
          onAuxClick={(event: MouseEvent) => event.button === 1 && onChoose(entry, { inNewTab: true })}
        >
          {'hit' in entry ? <HitEntry hit={entry.hit} words={words} /> : <ActionEntry {...entry} words={words} />}
        </div>
      ))}
    </div>
  )
}

function HitEntry({ hit, words }: { hit: Extract<Entry, { hit: unknown }>['hit']; words: readonly string[] }) {
  const { icon: Icon = IconFile, shape }: Partial<KindDisplay> = findKindDisplay(hit.kind) ?? {}
  const kindLabel = capitalise(hit.kind)
  const titlePieces = hit.kind === 'note' ? splitAndCutStart(hit.title, words) : splitByMatch(hit.title, words) // notes can be long
  return (
    <>
      {shape ? <Avatar id={hit.id} name={hit.title} shape={shape} /> : <Icon size={18} stroke={1.75} />}
      <span className={classes['title']}>
        <HighlightedText pieces={titlePieces} />
      </span>
      <span className={classes['detail']}>
        {hit.detail ? <HighlightedText pieces={splitByMatch(hit.detail, words)} /> : kindLabel}
        {hit.detail && <span className={classes['screenReaderOnly']}>, {kindLabel}</span>}
      </span>
      {hit.passage && (
        <span className={classes['passage']}>
          <HighlightedText pieces={splitByMarks(hit.passage)} />
        </span>
      )}
    </>
  )
}

type ActionEntryProps = Extract<Entry, { label: unknown }> & { words: readonly string[] }

function ActionEntry({ label, action: { icon: Icon = IconCommand, keys }, words }: ActionEntryProps) {
  const containsTypedText = label.includes('“') // a label such as "Add contact “quill”" always matches, so nothing is highlighted
  const [firstShortcut = ''] = keys?.split(' ') ?? [] // `keys` lists shortcuts that do the same, such as "Delete #"
  return (
    <>
      <Icon size={18} stroke={1.75} />
      <span className={classes['title']}>{containsTypedText ? label : <HighlightedText pieces={splitByMatch(label, words)} />}</span>
      {keys && (
        <span className={classes['keys']}>
          <Shortcut keys={formatKeys(firstShortcut)} />
        </span>
      )}
    </>
  )
}

const HighlightedText = ({ pieces }: { pieces: readonly Piece[] }): ReactNode =>
  pieces.map(({ text, matches }, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no id
    matches ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  )
