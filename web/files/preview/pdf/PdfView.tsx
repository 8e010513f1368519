import { useElementSize } from '@mantine/hooks'
import { IconArrowAutofitWidth, IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { getContentAddress } from '../fileContent.ts'
import { focusWhenUnfocused } from '../focusWhenUnfocused.ts'
import { Loading } from '../Loading.tsx'
import { NoPreview } from '../NoPreview.tsx'
import type { FileViewProps } from '../viewProps.ts'
import { ViewBar, ViewBarSpace, ViewButton, ZoomButtons } from '../ViewBar.tsx'
import classes from './Pdf.module.css'
import { PdfPages, type PdfPagesHandle } from './PdfPages.tsx'
import { PdfPassword } from './PdfPassword.tsx'
import { usePdfDocument, type PdfState } from './usePdfDocument.ts'

/** The scale at which a page has its original size: a PDF has 72 units per inch, and CSS has 96 px per inch. */
const originalScale = 96 / 72
/** The maximum zoom of a page that fits the width, so that it is not enlarged too much in a wide window. */
const maxFitZoom = 1.25
/** The free space in px beside a page that fits the width: left and right in total. */
const margins = 48
/** The maximum height of all pages together, in px: Firefox cannot scroll higher elements. */
const maxHeight = 16_000_000

/** A PDF, drawn by pdf.js. */
export function PdfView(props: FileViewProps) {
  const [attempt, setAttempt] = useState(1)
  return <LoadedPdf key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />
}

function LoadedPdf({ onRetry, ...props }: FileViewProps & { onRetry: () => void }) {
  const { file } = props
  const state = usePdfDocument(getContentAddress(file.id))
  if (state.step === 'open') return <OpenPdf {...props} pdf={state} />
  if (state.step === 'password') return <PdfPassword wrongCount={state.wrongCount} onSubmit={state.submit} />
  if (state.step === 'failed')
    return state.reason === 'damaged' ? (
      <NoPreview file={file} title="This PDF is damaged" text="It cannot be shown. Perhaps another program can still open it." />
    ) : (
      <NoPreview file={file} title="The PDF could not be loaded" text="Check your connection and try again." onRetry={onRetry} />
    )
  return <Loading />
}

type OpenPdfProps = FileViewProps & { pdf: Extract<PdfState, { step: 'open' }> }

function OpenPdf({ search, jump, pdf: { document, firstPageSize } }: OpenPdfProps) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const { ref: measure, width } = useElementSize()
  /** Undefined while the pages fit the width. */
  const [userZoom, setZoom] = useState<number>()
  /** The number of the page in the middle of the window. */
  const [current, setCurrent] = useState(1)
  const pages = useRef<PdfPagesHandle>(null)
  useEffect(() => focusWhenUnfocused(box), [box])
  const fitZoom = Math.max(Math.min((width - margins) / (firstPageSize.width * originalScale), maxFitZoom), 0.1)
  const maxZoom = maxHeight / (document.numPages * firstPageSize.height * originalScale)
  const zoom = Math.min(userZoom ?? fitZoom, Math.max(maxZoom, 0.1))
  const open = (number: number): void => pages.current?.scrollToPage(Math.min(Math.max(number, 1), document.numPages))
  const openAndFocus = (number: number): void => {
    open(number)
    box?.focus({ preventScroll: true }) // so that the keys scroll the pages
  }
  return (
    <>
      <ViewBar>
        <PageField current={current} count={document.numPages} onOpen={openAndFocus} />
        <span className={classes['of']}>of {formatNumber(document.numPages)}</span>
        <ViewButton label="Previous page" icon={IconChevronUp} disabled={current <= 1} onClick={() => open(current - 1)} />
        <ViewButton label="Next page" icon={IconChevronDown} disabled={current >= document.numPages} onClick={() => open(current + 1)} />
        <ViewBarSpace />
        <ZoomButtons
          zoom={zoom}
          fitLabel="Fit the width"
          fitIcon={IconArrowAutofitWidth}
          isFitting={userZoom === undefined}
          onZoom={setZoom}
          onFit={() => setZoom(undefined)}
        />
      </ViewBar>
      <section
        ref={(element) => {
          setBox(element)
          measure(element)
        }}
        className={classes['scroller']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll the focused element
        tabIndex={0}
        aria-label="Pages"
      >
        {width > 0 && (
          <PdfPages
            ref={pages}
            box={box}
            document={document}
            firstPageSize={firstPageSize}
            scale={zoom * originalScale}
            search={search}
            jump={jump}
            onPage={setCurrent}
          />
        )}
      </section>
    </>
  )
}

/** The number of the current page. Enter opens the page whose number was typed. */
function PageField({ current, count, onOpen }: { current: number; count: number; onOpen: (number: number) => void }) {
  /** Undefined while the field shows the number of the current page. */
  const [typedText, setTypedText] = useState<string>()
  const handleKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.currentTarget.blur()
    }
    if (event.key !== 'Enter') return
    const number = parseInt(typedText ?? '')
    if (number > 0) onOpen(number)
    setTypedText(undefined)
  }
  return (
    <input
      className={classes['pageField']}
      style={{ width: `calc(${String(count).length}ch + 16px)` }}
      aria-label="Page"
      inputMode="numeric"
      value={typedText ?? String(current)}
      onChange={(event) => setTypedText(event.currentTarget.value)}
      onKeyDown={handleKey}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => setTypedText(undefined)}
    />
  )
}
