import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { File } from '#contract/files.ts'
import { useActions } from '#web/lib/actions.ts'
import { formatNumber } from '#web/lib/format.ts'
import { SearchField } from '#web/ui/SearchField.tsx'
import { FileDetails } from './FileDetails.tsx'
import { describeReason, fileTextQuery } from './fileText.ts'
import { HitList } from './HitList.tsx'
import { findHits, type Hit } from './hits.ts'
import classes from './Panel.module.css'
import { findPreviewType } from './previewType.ts'

type TabName = 'found' | 'details'

type PreviewPanelProps = {
  file: File
  search: string
  onSearch: (text: string) => void
  /** Shows a place in the file. */
  onJump: (hit: Hit) => void
}

/** The panel beside a file, with the places that a search finds in it, and with its details. In narrow windows it is closed at first. */
export function PreviewPanel({ file, search, onSearch, onJump }: PreviewPanelProps) {
  /** A picture is searched only if a text was read from it, because most pictures have none. */
  const canSearch = file.text_reason !== 'unsupported' && (file.text_state === 'ready' || findPreviewType(file.file_type) !== 'image')
  const isNarrow = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false })
  /** The tab that is open unless the user has opened another one. In narrow windows the panel is closed. */
  const defaultTab = isNarrow ? undefined : 'details'
  const [tab, setTab] = useState<TabName | undefined>(() => (canSearch && search !== '' ? 'found' : defaultTab))
  const openTab = tab ?? defaultTab
  const { hits, current, open } = useHits({ file, search, isEnabled: canSearch && search !== '', onJump })
  const field = useRef<HTMLInputElement>(null)
  const startSearch = () => {
    flushSync(() => setTab('found')) // the field must exist before it can be focused
    field.current?.select()
  }
  useActions(
    canSearch
      ? [
          // for a PDF Ctrl+F too, because the search of the browser finds only the visible pages
          { keys: file.file_type === 'pdf' ? '/ mod+f' : '/', label: 'Search in this file', run: startSearch },
          ...(hits.length > 0
            ? [
                { keys: 'n', label: 'Next place found', run: () => open((current + 1) % hits.length) },
                { keys: 'shift+n', label: 'Previous place found', run: () => open((current - 1 + hits.length) % hits.length) },
              ]
            : []),
        ]
      : [],
  )
  const tabs = [
    ...(canSearch ? [{ name: 'found' as const, label: 'Found', count: search === '' ? '' : formatNumber(hits.length) }] : []),
    { name: 'details' as const, label: 'Details', count: '' },
  ]
  const panelId = useId()
  return (
    <aside className={classes['panel']} aria-label="In this file" data-open={openTab !== undefined || undefined}>
      <Tabs tabs={tabs} openTab={openTab} panelId={panelId} onOpen={(name) => setTab(isNarrow && name === openTab ? undefined : name)} />
      {openTab && (
        <div id={panelId} className={classes['content']} role="tabpanel" aria-labelledby={`${panelId}-${openTab}`}>
          {openTab === 'details' && <FileDetails file={file} />}
          {openTab === 'found' && (
            <>
              <div className={classes['search']}>
                <SearchField label="Search in this file" value={search} onSearch={onSearch} shortcut="/" fieldRef={field} />
              </div>
              {hits.length > 0 ? <HitList hits={hits} current={current} onOpen={open} /> : <NoHits file={file} search={search} />}
            </>
          )}
        </div>
      )}
    </aside>
  )
}

type HitsOptions = { file: File; search: string; isEnabled: boolean; onJump: (hit: Hit) => void }

/**
 * Finds the places with the words of a search in the text of a file. Shows the first place of each new search. `current` is -1 at first.
 */
function useHits({ file, search, isEnabled, onJump }: HitsOptions) {
  const { data } = useQuery({ ...fileTextQuery(file.id), enabled: isEnabled })
  const hits = useMemo(() => (data && isEnabled ? findHits(data.text, data.pages, search) : []), [data, isEnabled, search])
  const [current, setCurrent] = useState(-1)
  const open = (index: number): void => {
    const hit = hits[index]
    setCurrent(index)
    if (hit) onJump(hit)
  }
  const openFirst = useEffectEvent(() => open(0))
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the view scrolls to the first place after the text was searched
    if (hits.length > 0) openFirst()
  }, [hits])
  return { hits, current, open }
}

type TabsProps = {
  tabs: readonly { name: TabName; label: string; count: string }[]
  openTab: TabName | undefined
  panelId: string
  onOpen: (name: TabName) => void
}

/** The tabs of the panel. The left and right arrow keys open the other tab: there are at most two. */
function Tabs({ tabs, openTab, panelId, onOpen }: TabsProps) {
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const other = buttons.find((button) => button !== event.target)
    other?.focus()
    other?.click()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs can have the focus
    <div className={classes['tabs']} role="tablist" onKeyDown={move}>
      {tabs.map(({ name, label, count }, index) => (
        <button
          key={name}
          type="button"
          id={`${panelId}-${name}`}
          className={classes['tab']}
          role="tab"
          aria-selected={name === openTab}
          aria-controls={name === openTab ? panelId : undefined}
          tabIndex={name === openTab || (openTab === undefined && index === 0) ? 0 : -1}
          onClick={() => onOpen(name)}
        >
          {label} {count && <span className={classes['count']}>{count}</span>}
        </button>
      ))}
    </div>
  )
}

/** Shown in place of the list when it is empty. Says why. */
function NoHits({ file, search }: { file: File; search: string }) {
  const { data, error } = useQuery({ ...fileTextQuery(file.id), enabled: search !== '' })
  const reason = data?.reason ?? file.text_reason
  if (reason) return <p className={classes['remark']}>{describeReason(file, reason)}</p>
  if (search === '') return <p className={classes['remark']}>Type words to find them in the text of this file.</p>
  if (error) return <p className={classes['remark']}>The text of the file could not be loaded.</p>
  if (!data) return null
  if (data.state === 'waiting') return <p className={classes['remark']}>The text of this file is being read.</p>
  return (
    <output className={classes['remark']}>
      “{search}” is not in this file.{data.is_cut && ' Only the beginning of its text was searched.'}
    </output>
  )
}
