import { IconCommand, IconFile } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { kindByName, type KindDisplay } from '#web/lib/features.ts'
import { capitalised } from '#web/lib/format.ts'
import { piecesAround, piecesOf, type Piece } from '#web/lib/matching.ts'
import { keyCaps } from '#web/lib/shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import classes from './Palette.module.css'
import type { Entry, Group } from './usePalette.ts'

type PaletteGroupProps = {
  group: Group
  /** What was looked for: it stands in bold. */
  words: readonly string[]
  /** The line that Enter takes. */
  active: string | undefined
  listId: string
  onChoose: (entry: Entry, inNewTab: boolean) => void
  onPoint: (id: string) => void
}

/** Lines of one sort under their head. */
export function PaletteGroup({ group: { label, entries }, words, active, listId, onChoose, onPoint }: PaletteGroupProps) {
  const headId = `${listId}-${label}`.replaceAll(' ', '-')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- groups of a listbox have no tag
    <div role="group" aria-labelledby={headId}>
      <div id={headId} className={classes['head']} role="presentation">
        {label}
      </div>
      {entries.map((entry) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are pressed in the field above
        <div
          key={entry.id}
          id={`${listId} ${entry.id}`.replaceAll(' ', '-')}
          className={classes['entry']}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option holds text alone
          role="option"
          tabIndex={-1}
          aria-selected={entry.id === active}
          onPointerMove={() => entry.id !== active && onPoint(entry.id)}
          onClick={(event: MouseEvent) => onChoose(entry, event.ctrlKey || event.metaKey)}
          onAuxClick={(event: MouseEvent) => event.button === 1 && onChoose(entry, true)}
        >
          {'hit' in entry ? <HitLine hit={entry.hit} words={words} /> : <CommandLine {...entry} words={words} />}
        </div>
      ))}
    </div>
  )
}

function HitLine({ hit, words }: { hit: Extract<Entry, { hit: unknown }>['hit']; words: readonly string[] }) {
  const { icon: Icon = IconFile, shape }: Partial<KindDisplay> = kindByName(hit.kind) ?? {}
  const word = capitalised(hit.kind)
  return (
    <>
      {shape ? <Avatar id={hit.id} name={hit.title} shape={shape} /> : <Icon size={18} stroke={1.75} />}
      <span className={classes['title']}>
        <Marked pieces={hit.kind === 'note' ? piecesAround(hit.title, words) : piecesOf(hit.title, words)} />
      </span>
      <span className={classes['detail']}>
        {hit.detail ? <Marked pieces={piecesOf(hit.detail, words)} /> : word}
        {hit.detail && <span className={classes['told']}>, {word}</span>}
      </span>
    </>
  )
}

type CommandLineProps = Extract<Entry, { label: unknown }> & { words: readonly string[] }

function CommandLine({ label, action: { icon: Icon = IconCommand, keys }, words }: CommandLineProps) {
  return (
    <>
      <Icon size={18} stroke={1.75} />
      <span className={classes['title']}>{label.includes('“') ? label : <Marked pieces={piecesOf(label, words)} />}</span>
      {keys && (
        <span className={classes['keys']}>
          <Shortcut keys={keyCaps(keys.split(' ')[0] ?? '')} />
        </span>
      )}
    </>
  )
}

/** A text with what was looked for in bold. */
const Marked = ({ pieces }: { pieces: readonly Piece[] }): ReactNode =>
  pieces.map(({ text, found }, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- pieces of a text have no other identity
    found ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
  )
