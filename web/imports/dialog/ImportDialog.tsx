import '#web/ui/dialogs.css'
import { Button, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFileSpreadsheet, IconFileUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type DragEvent } from 'react'
import { importFileTypes, importRoutes, type ImportDetails, type ImportKind } from '#contract/imports.ts'
import { readFileType } from '#contract/fileNames.ts'
import { capitalise, formatFileSize } from '#web/lib/format.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { sendBytes } from '#web/lib/sendBytes.ts'
import { dismissToasts, toast } from '#web/lib/toasts.ts'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { describeImportError } from './describeImportError.ts'
import { importNouns } from '../kinds.ts'
import { importQuery } from '../queries.ts'
import classes from './ImportDialog.module.css'

type ImportDialogProps = { kind: ImportKind; onClose: () => void }

/** Asks for a file, sends it to the server and opens the page with its columns. Closing the dialog stops the upload. */
export function ImportDialog({ kind, onClose }: ImportDialogProps) {
  const navigate = useNavigate()
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const { plural } = importNouns[kind]
  const upload = useUpload(kind, async (details) => {
    await navigate({ to: '/crm/imports/$id', params: { id: details.id } })
    onClose() // after the page has changed, so that the focus does not go back to a button that disappears
  })
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={`Import ${capitalise(plural)}`} size={520} fullScreen={isPhone}>
      {upload.file && upload.isPending ? (
        <UploadProgress file={upload.file} sentBytes={upload.sentBytes} />
      ) : (
        <DropZone kind={kind} onFile={upload.send} onRefuse={upload.refuse} />
      )}
      {upload.problem && !upload.isPending && <p className={classes['problem']}>{upload.problem}</p>}
      <div className={classes['footer']}>
        <Link className="link" to="/crm/imports" onClick={onClose}>
          Earlier imports
        </Link>
        <Button variant="default" onClick={onClose}>
          {upload.isPending ? 'Stop' : 'Cancel'}
        </Button>
      </div>
    </Modal>
  )
}

const failureTitle = 'Import Failed'
const dismissFailure = (): void => dismissToasts(({ kind, title }) => kind === 'error' && title === failureTitle)

/** Sends a file. A failure is shown in the dialog and as a toast. */
function useUpload(kind: ImportKind, onDone: (details: ImportDetails) => Promise<void>) {
  const [file, setFile] = useState<File>()
  const [sentBytes, setSentBytes] = useState(0)
  const [problem, setProblem] = useState('')
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const refuse = (message: string): void => {
    dismissFailure() // the toast is about the previous file
    setProblem(message)
    toast({ kind: 'error', title: failureTitle, message })
  }
  const mutation = useMutation({
    mutationFn: ({ newFile, signal }: { newFile: File; signal: AbortSignal }) =>
      sendBytes(importRoutes.upload, { query: { file_name: newFile.name, kind } }, newFile, { signal, onProgress: setSentBytes }),
    onSuccess: async (details, { signal }) => {
      queries.setQueryData(importQuery(details.id).queryKey, details)
      void refreshTables(['imports'])
      if (!signal.aborted) await onDone(details)
    },
    onError: (error, { signal }) => {
      if (!signal.aborted) refuse(describeImportError(error, kind))
    },
  })
  const send = (newFile: File): void => {
    dismissFailure()
    setProblem('')
    setSentBytes(0)
    setFile(newFile)
    stop.current = new AbortController()
    mutation.mutate({ newFile, signal: stop.current.signal })
  }
  return { file, sentBytes, problem, isPending: mutation.isPending, send, refuse }
}

type DropZoneProps = { kind: ImportKind; onFile: (file: File) => void; onRefuse: (reason: string) => void }

/** A large button that opens the browser's dialog for files, and on which a file can be dropped. */
function DropZone({ kind, onFile, onRefuse }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const { plural } = importNouns[kind]
  const chooseFile = (files: FileList | null | undefined): void => {
    const [file, ...others] = files ?? []
    if (!file) return
    if (others.length > 0) return onRefuse('Choose one file at a time.')
    if (!importFileTypes.some((type) => type === readFileType(file.name)))
      return onRefuse('Choose a .csv, .txt, .text, .tsv, .vcf or .xlsx file.')
    onFile(file)
  }
  const allowDrop = (event: DragEvent): void => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    chooseFile(event.dataTransfer.files)
  }
  return (
    <>
      <button
        type="button"
        className={classes['zone']}
        data-over={isOver || undefined}
        data-autofocus
        onClick={() => input.current?.click()}
        onDragOver={allowDrop}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <IconFileUpload size={28} stroke={1.5} aria-hidden />
        <span className={classes['zoneTitle']}>Choose a file or drop it here</span>
        <span className={classes['zoneText']}>
          CSV, Excel, {kind === 'contact' && 'vCard, '}or text, from any program and in any language
        </span>
        <span className={classes['zoneText']}>.csv, .txt, .text, .tsv, .vcf, .xlsx</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`File with ${plural}`}
        accept={importFileTypes.map((type) => `.${type}`).join(',')}
        onChange={({ currentTarget }) => {
          chooseFile(currentTarget.files)
          currentTarget.value = '' // so that the same file can be chosen again after it was corrected
        }}
      />
      <p className={classes['hint']}>Nothing is imported yet: you will see the columns and the first {plural} before you start.</p>
    </>
  )
}

function UploadProgress({ file, sentBytes }: { file: File; sentBytes: number }) {
  const isSent = sentBytes >= file.size && file.size > 0
  return (
    <div className={classes['progress']}>
      <IconFileSpreadsheet size={20} stroke={1.6} aria-hidden />
      <div className={classes['progressText']}>
        <p className={classes['fileName']} title={file.name}>
          {file.name}
        </p>
        <progress className={classes['bar']} aria-label="Upload" max={Math.max(1, file.size)} value={isSent ? undefined : sentBytes} />
        <p className={classes['bytes']}>
          {!isSent && `${formatFileSize(sentBytes)} of ${formatFileSize(file.size)}`}
          <output>{isSent && 'Reading the columns'}</output>
        </p>
      </div>
    </div>
  )
}
