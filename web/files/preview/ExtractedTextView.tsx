import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { downloadFile } from '../actions/download.ts'
import { fileTextQuery } from './fileText.ts'
import { Loading } from './Loading.tsx'
import { MarkedText } from './MarkedText.tsx'
import { focusWhenUnfocused } from './focusWhenUnfocused.ts'
import classes from './Preview.module.css'
import { ViewBar, ViewBarSpace } from './ViewBar.tsx'
import type { FileViewProps } from './viewProps.ts'

/** The text of a document that browsers cannot show, as the server read it. */
export function ExtractedTextView({ file, search, jump }: FileViewProps) {
  const { data, error, refetch, isFetching } = useQuery(fileTextQuery(file.id))
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
  return (
    <>
      <ViewBar>
        <span className={classes['facts']}>{data.is_cut ? 'The beginning of the text' : 'Only the text'}, without layout and pictures</span>
        <ViewBarSpace />
        <Button variant="default" size="xs" onClick={() => void downloadFile(file)}>
          Download
        </Button>
      </ViewBar>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll the focused element */}
      <section ref={focusWhenUnfocused} className={classes['textBox']} tabIndex={0} aria-label="Text" data-prose>
        <MarkedText text={data.text} search={search} jump={jump} />
      </section>
    </>
  )
}
