import { Button } from '@mantine/core'
import { IconTable, IconTextWrap } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError, toastError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { CsvTable } from './CsvTable.tsx'
import { formatFileSize } from '#web/lib/format.ts'
import { downloadFile } from '../actions/download.ts'
import { Loading } from './Loading.tsx'
import { MarkedText } from './MarkedText.tsx'
import { NoPreview } from './NoPreview.tsx'
import { focusWhenUnfocused } from './focusWhenUnfocused.ts'
import classes from './Preview.module.css'
import { textPages } from './textContent.ts'
import type { FileViewProps } from './viewProps.ts'
import { ViewBar, ViewBarSpace, ViewButton } from './ViewBar.tsx'

/** A text, with its characters as they are: markup and scripts in it have no effect. A CSV file can also be shown as a table. */
export function TextView({ file, search, jump }: FileViewProps) {
  const [isWrapped, setWrapped] = useState(true)
  const canBeTable = file.file_type === 'csv' || file.file_type === 'tsv'
  const [wantsTable, setWantsTable] = useState(true)
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery(textPages(file))
  const loaded = data?.pages.at(-1) // each page has the text from the beginning of the file, and replaces the previous page
  if (error && !loaded)
    return (
      <FailedState
        title="The text could not be loaded"
        reason={describeError(error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  if (!loaded) return <Loading />
  const { text, loadedBytes } = loaded
  if (text === undefined) return <NoPreview file={file} title="No preview for this type" />
  const isTable = canBeTable && wantsTable && search === ''
  const isCut = file.file_size > loadedBytes
  const showMore = async (): Promise<void> => {
    const result = await fetchNextPage()
    if (result.isFetchNextPageError) toastError(result.error, 'Error loading text')
  }
  return (
    <>
      <ViewBar>
        <span className={classes['facts']}>
          {isCut ? `First ${formatFileSize(loadedBytes)} of ${formatFileSize(file.file_size)}` : formatFileSize(file.file_size)}
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
      <section ref={focusWhenUnfocused} className={classes['textBox']} tabIndex={0} aria-label="Text">
        {text === '' && <p className={classes['empty']}>This file is empty.</p>}
        {isTable && text !== '' ? <CsvTable text={text} /> : <MarkedText text={text} search={search} jump={jump} isWrapped={isWrapped} />}
        {isCut && (
          <div className={classes['more']}>
            {hasNextPage && (
              <Button variant="default" loading={isFetching} onClick={() => void showMore()}>
                Show more
              </Button>
            )}
            <Button variant="default" onClick={() => void downloadFile(file)}>
              Download
            </Button>
          </div>
        )}
      </section>
    </>
  )
}
