import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useEffectEvent, useRef, useState, type CSSProperties } from 'react'
import { findPageMarks, type PageMark, type TextPiece } from './pageMarks.ts'
import classes from './Pdf.module.css'
import type { PageSize } from './usePdfDocument.ts'

/** The maximum size of a canvas in pixels, so that large pages and high zooms do not exhaust the memory of phones. */
const maxCanvasPixels = 16_000_000

type PdfPageProps = {
  document: PDFDocumentProxy
  /** Counts from 1. */
  number: number
  /** The size of the page at the scale 1, in px. It is a guess until `onSize` was called. */
  size: PageSize
  scale: number
  /** The words to mark. */
  search: string
  /** The match that the user has jumped to, counted from 0 on this page; undefined when the match is on another page. */
  activeMatch: number | undefined
  /** Is 0 at first and changes with every jump, so that `onActiveMark` is called again for a second jump to the same match. */
  jumpSerialNumber: number
  /** Called with the mark of the active match as soon as it exists: after each jump, and when the page is scrolled back into the window. */
  onActiveMark: (mark: Element) => void
  onSize: (number: number, size: PageSize) => void
}

/** One page of a PDF: its picture, its text for selecting, and marks over the words of a search. */
export function PdfPage({ document, number, size, scale, search, activeMatch, jumpSerialNumber, onActiveMark, onSize }: PdfPageProps) {
  const { page, hasFailed: isMissing } = usePage(document, number)
  const reportSize = useEffectEvent(onSize)
  useEffect(() => {
    if (!page) return
    const { width, height } = page.getViewport({ scale: 1 })
    reportSize(number, { width, height })
  }, [page, number])
  const { picture, hasFailed } = usePicture(page, scale)
  const element = useRef<HTMLElement>(null)
  const { textLayer, pieces } = useTextLayer(page)
  const marks = useMarks(element, pieces, search)
  // the page may have fewer matches than the text that the server has read
  const shownMatch = activeMatch === undefined ? undefined : Math.min(activeMatch, marks.at(-1)?.match ?? 0)
  const reportActiveMark = useEffectEvent(onActiveMark)
  useEffect(() => {
    if (jumpSerialNumber === 0 || shownMatch === undefined || marks.length === 0) return
    const mark = element.current?.querySelector('[data-active]')
    if (mark) reportActiveMark(mark)
  }, [marks, shownMatch, jumpSerialNumber])
  const style: CSSProperties & Record<`--${string}`, string | number> = {
    width: size.width * scale,
    height: size.height * scale,
    '--total-scale-factor': scale,
  }
  return (
    <article ref={element} className={classes['page']} style={style} aria-label={`Page ${number}`}>
      <div ref={picture} className={classes['picture']} aria-hidden />
      {(isMissing || hasFailed) && (
        <p className={classes['damagedPage']}>This page cannot be shown. It is damaged, or the connection was lost.</p>
      )}
      {marks.map(({ match, left, top, width, height }) => (
        <span
          key={`${match} ${left} ${top}`}
          className={classes['mark']}
          data-match={match}
          data-active={match === shownMatch || undefined}
          style={{ left: toPercent(left), top: toPercent(top), width: toPercent(width), height: toPercent(height) }}
        />
      ))}
      <div ref={textLayer} className={classes['text']} />
    </article>
  )
}

const toPercent = (fraction: number): string => `${fraction * 100}%`

/** Loads a page, and frees its memory when the page is scrolled away. */
function usePage(document: PDFDocumentProxy, number: number): { page: PDFPageProxy | undefined; hasFailed: boolean } {
  const [page, setPage] = useState<PDFPageProxy>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let isCancelled = false
    let loaded: PDFPageProxy | undefined
    const load = async (): Promise<void> => {
      loaded = await document.getPage(number)
      if (isCancelled) loaded.cleanup()
      else setPage(loaded)
    }
    load().catch(() => {
      if (!isCancelled) setFailed(true)
    })
    return () => {
      isCancelled = true
      loaded?.cleanup()
    }
  }, [document, number])
  return { page, hasFailed }
}

/**
 * Draws the page at a scale. The previous picture stays, stretched, until the new one is complete. Returns the ref of the picture's
 * element.
 */
function usePicture(page: PDFPageProxy | undefined, scale: number) {
  const picture = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!page) return undefined
    const { width, height } = page.getViewport({ scale })
    // as many canvas pixels as the screen has, but not more than the maximum
    const ratio = Math.min(window.devicePixelRatio, Math.sqrt(maxCanvasPixels / (width * height)))
    const viewport = page.getViewport({ scale: scale * ratio })
    const canvas = window.document.createElement('canvas')
    canvas.width = Math.max(Math.floor(viewport.width), 1)
    canvas.height = Math.max(Math.floor(viewport.height), 1)
    const task = page.render({ canvas, viewport })
    let isCancelled = false // the page was scrolled away or zoomed
    task.promise.then(
      () => {
        setFailed(false)
        picture.current?.replaceChildren(canvas)
      },
      () => setFailed(!isCancelled),
    )
    return () => {
      isCancelled = true
      task.cancel()
    }
  }, [page, scale])
  return { picture, hasFailed }
}

/**
 * Adds the text of the page as transparent elements over the picture. `pieces` are the texts with their elements, in which words are found.
 */
function useTextLayer(page: PDFPageProxy | undefined) {
  const textLayer = useRef<HTMLDivElement>(null)
  const [pieces, setPieces] = useState<readonly TextPiece[]>([])
  useEffect(() => {
    const container = textLayer.current
    if (!page || !container) return undefined
    let layer: TextLayer | undefined
    let isCancelled = false
    const render = async (): Promise<void> => {
      const content = await page.getTextContent()
      if (isCancelled) return
      layer = new TextLayer({ textContentSource: content, container, viewport: page.getViewport({ scale: 1 }) })
      await layer.render()
      const elements = layer.textDivs
      const lines = content.items.flatMap((item) => ('str' in item ? [{ text: item.str, endsLine: item.hasEOL }] : []))
      setPieces(
        lines.flatMap((line, index) => {
          const element = elements[index]
          return element ? [{ ...line, element }] : []
        }),
      )
    }
    render().catch(() => undefined) // the text of a damaged page cannot be selected
    return () => {
      isCancelled = true
      layer?.cancel()
      container.replaceChildren()
    }
  }, [page])
  return { textLayer, pieces }
}

/** Finds the marks again when the text of the page or the search changes. */
function useMarks(element: { current: HTMLElement | null }, pieces: readonly TextPiece[], search: string): readonly PageMark[] {
  const [marks, setMarks] = useState<readonly PageMark[]>([])
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- the places of the marks are measured in the document
    if (element.current) setMarks(findPageMarks(pieces, search, element.current))
  }, [element, pieces, search])
  return marks
}
