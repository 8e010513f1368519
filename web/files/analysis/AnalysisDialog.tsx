import '#web/ui/dialogs.css'
import { Button, Loader, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { Passage } from '#contract/lists.ts'
import { askAssistant } from '#web/lib/askAssistant.ts'
import { AiOffNotice } from '#web/ui/AiOffNotice.tsx'
import { CopyButton } from '#web/ui/CopyButton.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { previewLink } from '../preview/previewLink.ts'
import classes from './AnalysisDialog.module.css'
import { analysisQuery, isAiOff } from './analysisQuery.ts'

type AnalysisDialogProps = { file: { id: string; file_name: string }; onClose: () => void }

/** Lets the AI analyze a file and shows the result. Closing the dialog stops a running analysis; after a failure it closes by itself. */
export function AnalysisDialog({ file, onClose }: AnalysisDialogProps) {
  const { data, error, isFetching, refetch } = useQuery(analysisQuery(file.id))
  const navigate = useNavigate()
  useReturnFocus()
  const analysis = isFetching ? undefined : data
  const close = useEffectEvent(onClose)
  const hasFailed = error !== null && !isFetching && !isAiOff(error)
  useEffect(() => {
    if (hasFailed) close()
  }, [hasFailed])
  const openPassage = ({ text }: Passage): void => {
    onClose()
    void navigate(previewLink(file.id, cutSearch(text)))
  }
  const ask = (): void => {
    onClose()
    askAssistant({ record: { kind: 'file', id: file.id } })
  }
  return (
    <Modal opened onClose={onClose} title={file.file_name} size={640} classNames={{ title: classes['title'] ?? '' }}>
      {isFetching && (
        <output className={classes['busy']}>
          <Loader size={18} />
          The AI is reading the file. A long file may take some minutes.
        </output>
      )}
      {!isFetching && isAiOff(error) && <AiOffNotice text={error.message} />}
      {analysis && (
        <>
          <RichText text={analysis.analysis} />
          {analysis.isCut && <p className={classes['remark']}>The file is longer than what was read: only its beginning was analyzed.</p>}
          {analysis.passages.length > 0 && <PassageList passages={analysis.passages} onOpen={openPassage} />}
        </>
      )}
      <div className={classes['actions']}>
        {analysis && (
          <>
            <span className={classes['copy']}>
              <CopyButton text={analysis.analysis} label="Copy analysis" size={36} />
            </span>
            <Button variant="subtle" onClick={() => void refetch()}>
              Analyze again
            </Button>
            <Button variant="default" onClick={ask}>
              Ask about this file
            </Button>
          </>
        )}
        {/* one button in all states, so that it keeps the focus */}
        <Button key="close" variant={analysis ? 'filled' : 'default'} data-autofocus onClick={onClose}>
          {isFetching ? 'Stop' : 'Done'}
        </Button>
      </div>
    </Modal>
  )
}

/** The passages of the file on which the analysis is based. A click on a passage opens the file at its place. */
const PassageList = ({ passages, onOpen }: { passages: readonly Passage[]; onOpen: (passage: Passage) => void }) => (
  <section aria-labelledby="analysis-passages" className={classes['passages']}>
    <h3 id="analysis-passages">Based on these passages</h3>
    <ul>
      {passages.map((passage) => (
        <li key={`${passage.page} ${passage.text}`}>
          <button type="button" onClick={() => onOpen(passage)}>
            {passage.page !== null && <span className={classes['page']}>Page {passage.page}</span>}
            <span dir="auto">{passage.text}</span>
          </button>
        </li>
      ))}
    </ul>
  </section>
)

/** The preview finds a passage by its first words, so the search for a passage has at most this number of characters. */
const maxSearchLength = 120

/** Returns the beginning of a passage, up to the end of a word. */
function cutSearch(text: string): string {
  if (text.length <= maxSearchLength) return text
  const start = text.slice(0, maxSearchLength)
  const space = start.lastIndexOf(' ')
  return space > 0 ? start.slice(0, space) : start
}
