import { useVirtualizer } from '@tanstack/react-virtual'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react'
import type { Jump } from '../viewProps.ts'
import classes from './Pdf.module.css'
import { PdfPage } from './PdfPage.tsx'
import type { PageSize } from './usePdfDocument.ts'

/** The space between two pages, and around all pages, in px. */
const gap = 16
const padding = 24

export type PdfPagesHandle = { scrollToPage: (number: number) => void }

type PdfPagesProps = {
  ref: Ref<PdfPagesHandle>
  /** The scrolling element; null until it is mounted. */
  box: HTMLElement | null
  document: PDFDocumentProxy
  firstPageSize: PageSize
  scale: number
  search: string
  /** The place to scroll to; undefined at first. */
  jump: Jump | undefined
  /** Called with the number of the page in the middle of the window. */
  onPage: (number: number) => void
}

/** The pages of a PDF below each other. Only the visible pages and their neighbours exist, so a document may have thousands of pages. */
export function PdfPages({ ref, box, document, firstPageSize, scale, search, jump, onPage }: PdfPagesProps) {
  const { sizeOf, setSize, widest } = usePageSizes(firstPageSize)
  // oxlint-disable-next-line react/incompatible-library -- the rule is about the React Compiler, which is not used
  const pages = useVirtualizer({
    count: document.numPages,
    getScrollElement: () => box,
    estimateSize: (index) => sizeOf(index + 1).height * scale,
    overscan: 1,
    gap,
    paddingStart: padding,
    paddingEnd: padding,
    scrollPaddingStart: gap,
    useFlushSync: false,
  })
  const previousScale = useRef(scale)
  useLayoutEffect(() => {
    const ratio = scale / previousScale.current
    previousScale.current = scale
    const middle = box ? box.scrollTop + box.clientHeight / 2 : 0
    pages.measure()
    if (box && ratio !== 1) box.scrollTop = middle * ratio - box.clientHeight / 2 // the middle of the window stays in the middle
  }, [pages, box, scale])
  const scrollToPage = (number: number): void => pages.scrollToIndex(number - 1, { align: 'start' })
  useImperativeHandle(ref, () => ({ scrollToPage }))
  /** Scrolls to a page, so that the page is rendered; the page then scrolls to the match. */
  const followJump = useEffectEvent((page: number) => scrollToPage(Math.min(Math.max(page, 1), document.numPages)))
  // a layout effect, so that it runs before the effect of `PdfPage`, which scrolls to the match at once if the page is already rendered
  useLayoutEffect(() => {
    if (jump && box) followJump(jump.page ?? 1)
  }, [jump, box])
  const shownJump = useRef<Jump>(undefined)
  const showMark = (mark: Element): void => {
    if (jump === shownJump.current) return // the page was scrolled away and back, which must not scroll to the match again
    shownJump.current = jump
    mark.scrollIntoView({ block: 'center', inline: 'nearest' })
  }
  useMiddlePage(box, pages.getVirtualItems(), (pages.scrollOffset ?? 0) + (box?.clientHeight ?? 0) / 2, onPage)
  return (
    <div className={classes['pages']} style={{ height: pages.getTotalSize(), width: widest * scale + 2 * padding }}>
      {pages.getVirtualItems().map(({ index, start }) => (
        <div key={index} className={classes['place']} style={{ transform: `translateY(${start}px)` }}>
          <PdfPage
            document={document}
            number={index + 1}
            size={sizeOf(index + 1)}
            scale={scale}
            search={search}
            activeMatch={jump && (jump.page ?? 1) === index + 1 ? jump.match : undefined}
            jumpSerialNumber={jump?.serialNumber ?? 0}
            onActiveMark={showMark}
            onSize={(number, size) => {
              if (setSize(number, size)) pages.resizeItem(number - 1, size.height * scale)
            }}
          />
        </div>
      ))}
    </div>
  )
}

/** The sizes of the pages that were loaded. Other pages are assumed to have the size of the first page. */
function usePageSizes(firstPageSize: PageSize) {
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map())
  const sizeOf = (number: number): PageSize => sizes.get(number) ?? firstPageSize
  /** Stores the size of a page. Returns whether it differs from the assumed size. */
  const setSize = (number: number, size: PageSize): boolean => {
    const assumed = sizeOf(number)
    if (assumed.width === size.width && assumed.height === size.height) return false
    setSizes((known) => new Map(known).set(number, size))
    return true
  }
  const widest = Math.max(firstPageSize.width, ...[...sizes.values()].map(({ width }) => width))
  return { sizeOf, setSize, widest }
}

/** Reports the page that is in the middle of the window. */
function useMiddlePage(
  box: HTMLElement | null,
  items: readonly { index: number; start: number; end: number }[],
  middle: number,
  onPage: (number: number) => void,
): void {
  const index = items.find(({ end }) => end + gap >= middle)?.index
  const report = useEffectEvent(onPage)
  useEffect(() => {
    if (box && index !== undefined) report(index + 1)
  }, [box, index])
}
