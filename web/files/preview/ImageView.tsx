import { useElementSize } from '@mantine/hooks'
import { IconArrowsMinimize } from '@tabler/icons-react'
import { useLayoutEffect, useRef, useState, type PointerEvent } from 'react'
import type { File } from '#contract/files.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useListener } from '#web/ui/domHooks.ts'
import { getContentAddress } from './fileContent.ts'
import { NoPreview } from './NoPreview.tsx'
import classes from './Preview.module.css'
import { ViewBar, ViewBarSpace, ZoomButtons } from './ViewBar.tsx'
import { zoomIn, zoomOut } from './zoom.ts'

type Size = { width: number; height: number }

/** The space around a fitted image in px: 48 for left and right together, and 48 for top and bottom together. */
const margins = 48

/** An image, fitted into the window or zoomed. A zoomed image is moved by dragging or scrolling. */
export function ImageView({ file }: { file: File }) {
  const [size, setSize] = useState<Size>()
  const [isBroken, setBroken] = useState(false)
  /** Undefined while the image is fitted into the window. */
  const [userZoom, setZoom] = useState<number>()
  const [box, setBox] = useState<HTMLElement | null>(null)
  const { ref: measure, width, height } = useElementSize()
  const fitZoom = size && width > 0 ? fit(size, { width: width - margins, height: height - margins }) : 1
  const zoom = userZoom ?? fitZoom
  useCentre(box, zoom)
  useListener(box, 'wheel', (event) => {
    if (!event.ctrlKey) return
    event.preventDefault() // the browser would zoom the whole page
    setZoom(event.deltaY < 0 ? zoomIn(zoom) : zoomOut(zoom))
  })
  if (isBroken)
    return (
      <NoPreview
        file={file}
        title="This image cannot be shown"
        text="It may be damaged, of another type than its name says, or the connection was lost."
        onRetry={() => setBroken(false)}
      />
    )
  return (
    <>
      <ViewBar>
        <span className={classes['facts']}>{size && `${formatNumber(size.width)} × ${formatNumber(size.height)} px`}</span>
        <ViewBarSpace />
        <ZoomButtons
          zoom={zoom}
          fitLabel="Fit the window"
          fitIcon={IconArrowsMinimize}
          isFitting={userZoom === undefined}
          onZoom={setZoom}
          onFit={() => setZoom(undefined)}
        />
      </ViewBar>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons and scrolling do the same */}
      <section
        ref={(element) => {
          setBox(element)
          measure(element)
        }}
        className={classes['imageBox']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll the focused element
        tabIndex={0}
        aria-label="Image"
        onPointerDown={startDragging}
        // a double click zooms in, and the next one fits the image into the window again
        onDoubleClick={() => setZoom(userZoom === undefined ? Math.max(1, zoomIn(fitZoom)) : undefined)}
      >
        <img
          className={classes['image']}
          src={getContentAddress(file.id, 'inline')}
          alt={file.file_name}
          draggable={false}
          data-loading={size === undefined || undefined}
          style={size && { width: size.width * zoom, height: size.height * zoom }}
          onLoad={({ currentTarget }) => setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })}
          onError={() => setBroken(true)}
        />
      </section>
    </>
  )
}

/** Returns the zoom at which an image fits into a box: from 0.01 to 1. */
const fit = (image: Size, box: Size): number => Math.max(Math.min(1, box.width / image.width, box.height / image.height), 0.01)

/** Scrolls when the zoom changes, so that the part of the image in the middle of the box stays in the middle. */
function useCentre(box: HTMLElement | null, zoom: number): void {
  const previousZoom = useRef(zoom)
  useLayoutEffect(() => {
    const ratio = zoom / previousZoom.current
    previousZoom.current = zoom
    if (!box || ratio === 1) return
    box.scrollTo({
      left: (box.scrollLeft + box.clientWidth / 2) * ratio - box.clientWidth / 2,
      top: (box.scrollTop + box.clientHeight / 2) * ratio - box.clientHeight / 2,
    })
  }, [box, zoom])
}

/** Scrolls the element while a mouse is dragged. Browsers scroll by touch without this function. */
function startDragging({ currentTarget: box, pointerType, pointerId, button, clientX, clientY }: PointerEvent<HTMLElement>): void {
  if (pointerType !== 'mouse' || button !== 0) return
  const { scrollLeft, scrollTop } = box
  const drag = (event: globalThis.PointerEvent): void => {
    box.scrollLeft = scrollLeft + clientX - event.clientX
    box.scrollTop = scrollTop + clientY - event.clientY
  }
  const stop = (): void => {
    box.removeEventListener('pointermove', drag)
    box.removeEventListener('lostpointercapture', stop)
  }
  box.setPointerCapture(pointerId)
  box.addEventListener('pointermove', drag)
  box.addEventListener('lostpointercapture', stop)
}
