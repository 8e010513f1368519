import { Button } from '@mantine/core'
import { IconTable, IconTextWrap } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { CsvTable } from './CsvTable.tsx'
import { downloadFile } from './fileContent.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { Loading } from './Loading.tsx'
import { NoPreview } from './NoPreview.tsx'
import classes from './Preview.module.css'
import { stepBytes, textQuery } from './textContent.ts'
import { findMatches, type TextRange } from './textMatches.ts'
import type { FileViewProps, Jump } from './viewProps.ts'
import { ViewBar, ViewBarSpace, ViewButton } from './ViewBar.tsx'

/** More text would make the page slow; it can be downloaded. */
const maxBytes = 5 * stepBytes

/** A text, with its characters as they are: markup and scripts in it have no effect. A CSV file can also be shown as a table. */
export function TextView({ file, search, jump }: FileViewProps) {
  const [limit, setLimit] = useState(stepBytes)
  const [isWrapped, setWrapped] = useState(true)
  const canBeTable = file.file_type === 'csv' || file.file_type === 'tsv'
  const [wantsTable, setWantsTable] = useState(true)
  const { data, error, refetch, isFetching } = useQuery(textQuery(file, limit))
  if (error && !data)
    return (
      <FailedState
        title="The text could not be loaded"
        reason={describeError(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  if (!data) return <Loading />
  if (data.text === undefined) return <NoPreview file={file} title="No preview for this type" />
  const isTable = canBeTable && wantsTable && search === ''
  const isCut = file.file_size > limit
  return (
    <>
      <ViewBar>
        <span className={classes['facts']}>
          {isCut ? `First ${formatFileSize(limit)} of ${formatFileSize(file.file_size)}` : formatFileSize(file.file_size)}
        </span>
        <ViewBarSpace />
        {canBeTable && search === '' && (
          <ViewButton label="Show as a table" icon={IconTable} isPressed={isTable} onClick={() => setWantsTable(!wantsTable)} />
        )}
        {!isTable && (
          <ViewButton label="Wrap long lines" icon={IconTextWrap} isPressed={isWrapped} onClick={() => setWrapped(!isWrapped)} />
        )}
      </ViewBar>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll the focused element */}
      <section className={classes['textBox']} tabIndex={0} aria-label="Text">
        {data.text === '' && <p className={classes['empty']}>This file is empty.</p>}
        {isTable ? <CsvTable text={data.text} /> : <MarkedText text={data.text} search={search} jump={jump} isWrapped={isWrapped} />}
        {isCut && (
          <div className={classes['more']}>
            {limit < maxBytes && (
              <Button variant="default" loading={isFetching} onClick={() => setLimit(limit + stepBytes)}>
                Show more
              </Button>
            )}
            <Button variant="default" onClick={() => downloadFile(file)}>
              Download
            </Button>
          </div>
        )}
      </section>
    </>
  )
}

type MarkedTextProps = { text: string; search: string; jump: Jump | undefined; isWrapped: boolean }

/** A text in which the words of a search are marked. */
function MarkedText({ text, search, jump, isWrapped }: MarkedTextProps) {
  const matches = useMemo(() => findMatches(text, search), [text, search])
  const element = useRef<HTMLPreElement>(null)
  const active = jump && Math.min(jump.match, matches.length - 1)
  useEffect(() => {
    if (jump && matches.length > 0) element.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }, [jump, matches])
  return (
    <pre ref={element} className={classes['text']} data-wrapped={isWrapped || undefined}>
      {splitText(text, matches).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no ids
          <mark key={index} className={classes['found']} data-active={(index - 1) / 2 === active || undefined}>
            {part}
          </mark>
        ),
      )}
    </pre>
  )
}

/** Splits a text into the parts before, in and between the matches. The parts with odd indexes are matches. */
function splitText(text: string, matches: readonly TextRange[]): string[] {
  const parts: string[] = []
  let position = 0
  for (const { start, end } of matches) {
    parts.push(text.slice(position, start), text.slice(start, end))
    position = end
  }
  return [...parts, text.slice(position)]
}
