/** A position in px from the top left corner of the window. */
type Point = { x: number; y: number }

type DragHandlers = {
  /** The CSS selector of the elements in the box that can be dragged. */
  selector: string
  /** Called when a drag begins. `offset` is the position of the pointer in the element. Returning false prevents the drag. */
  onStart: (element: HTMLElement, pointer: Point, offset: Point) => boolean
  onMove: (pointer: Point) => void
  onDrop: (pointer: Point) => void
  onCancel: () => void
  /** Returns the element that scrolls near its edges; the box by default. */
  getScroller?: () => HTMLElement
}

/** A mouse or pen starts a drag when it has moved further than this. */
const minMousePx = 5
/** A touch starts a drag after this time, unless the finger has moved further than `maxHoldPx`. */
const holdMs = 250
const maxHoldPx = 8
/** The box scrolls while the pointer is nearer than this to one of its edges. */
const edgePx = 56
const maxScrollPxPerFrame = 14

/**
 * Makes elements in a box draggable by mouse, pen and touch. A touch must be held for a short time first, so that a swipe scrolls. Escape
 * cancels the drag. The box scrolls while the pointer is near one of its edges. Returns a function that removes all listeners.
 */
export function enableDragging(box: HTMLElement, handlers: DragHandlers): () => void {
  const listeners = new AbortController()
  let press: Press | undefined
  const endPress: EndPress = (finish) => {
    if (press?.isDragging) suppressClick()
    press?.stop()
    press = undefined
    finish?.()
  }
  const onPointerDown = (event: PointerEvent): void => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(handlers.selector) : null
    if (!element || !isPlainPress(event)) return
    endPress()
    press = new Press(box, element, event, handlers, endPress)
  }
  const { signal } = listeners
  box.addEventListener('pointerdown', onPointerDown, { signal })
  // a drag by touch must not scroll the page or open the context menu
  box.addEventListener('touchmove', (event) => press?.isDragging && event.preventDefault(), { passive: false, signal })
  box.addEventListener('contextmenu', (event) => press?.isTouch && event.preventDefault(), { signal })
  return () => {
    listeners.abort()
    endPress()
  }
}

/** Ends the press and then calls `finish`. */
type EndPress = (finish?: () => void) => void

/** A pointer that is pressed on an element and may start a drag. */
class Press {
  /** The press has become a drag. */
  isDragging = false
  readonly isTouch: boolean
  private readonly listeners = new AbortController()
  private readonly holdTimer: ReturnType<typeof setTimeout> | undefined
  private readonly start: Point
  private pointer: Point
  private animationFrame = 0
  private readonly box: HTMLElement
  private readonly element: HTMLElement
  private readonly handlers: DragHandlers

  constructor(box: HTMLElement, element: HTMLElement, event: PointerEvent, handlers: DragHandlers, endPress: EndPress) {
    this.box = box
    this.element = element
    this.handlers = handlers
    this.isTouch = event.pointerType === 'touch'
    this.start = toPoint(event)
    this.pointer = this.start
    if (this.isTouch) this.holdTimer = setTimeout(() => this.startDrag(endPress), holdMs)
    const { signal } = this.listeners
    // ignores the events of other fingers
    const forThisPointer = (action: (event: PointerEvent) => void) => (each: PointerEvent) => {
      if (each.pointerId === event.pointerId) action(each)
    }
    window.addEventListener(
      'pointermove',
      forThisPointer((each) => this.move(each, endPress)),
      { signal },
    )
    window.addEventListener(
      'pointerup',
      forThisPointer(() => endPress(this.isDragging ? () => handlers.onDrop(this.pointer) : undefined)),
      { signal },
    )
    window.addEventListener(
      'pointercancel',
      forThisPointer(() => endPress(this.isDragging ? handlers.onCancel : undefined)),
      { signal },
    )
    window.addEventListener('keydown', (keyEvent) => this.cancelOnEscape(keyEvent, endPress), { signal, capture: true })
  }

  stop(): void {
    this.isDragging = false
    clearTimeout(this.holdTimer)
    cancelAnimationFrame(this.animationFrame)
    this.listeners.abort()
  }

  private move(event: PointerEvent, endPress: EndPress): void {
    this.pointer = toPoint(event)
    if (this.isDragging) return this.handlers.onMove(this.pointer)
    const distance = Math.hypot(this.pointer.x - this.start.x, this.pointer.y - this.start.y)
    if (this.isTouch && distance > maxHoldPx) endPress()
    if (!this.isTouch && distance > minMousePx) this.startDrag(endPress)
  }

  private startDrag(endPress: EndPress): void {
    const { left, top } = this.element.getBoundingClientRect()
    const offset = { x: this.start.x - left, y: this.start.y - top }
    if (!this.handlers.onStart(this.element, this.pointer, offset)) return endPress()
    this.isDragging = true
    window.getSelection()?.removeAllRanges()
    this.animationFrame = requestAnimationFrame(() => this.scrollNearEdge())
  }

  private cancelOnEscape(event: KeyboardEvent, endPress: EndPress): void {
    if (event.key !== 'Escape' || !this.isDragging) return
    event.preventDefault()
    event.stopPropagation()
    endPress(this.handlers.onCancel)
  }

  /** Scrolls the box, faster the nearer the pointer is to an edge. Runs in every animation frame. */
  private scrollNearEdge(): void {
    const scroller = this.handlers.getScroller?.() ?? this.box
    const { left, right, top, bottom } = scroller.getBoundingClientRect()
    const { scrollLeft, scrollTop } = scroller
    scroller.scrollLeft += getScrollStep(this.pointer.x, left, right)
    scroller.scrollTop += getScrollStep(this.pointer.y, top, bottom)
    const hasScrolled = scroller.scrollLeft !== scrollLeft || scroller.scrollTop !== scrollTop
    if (hasScrolled) this.handlers.onMove(this.pointer)
    this.animationFrame = requestAnimationFrame(() => this.scrollNearEdge())
  }
}

/** Returns the number of px to scroll at a position between two edges; negative near the first edge. */
function getScrollStep(position: number, first: number, last: number): number {
  // how many px the pointer is beyond the line where the scrolling begins, at each of the edges
  const depthAtLast = Math.max(0, position - (last - edgePx))
  const depthAtFirst = Math.max(0, first + edgePx - position)
  const depth = depthAtLast - depthAtFirst
  const speed = Math.min(Math.abs(depth), edgePx) / edgePx // 0 to 1
  return Math.round(speed * maxScrollPxPerFrame) * Math.sign(depth)
}

/** Returns true for the main button or the first finger, without a modifier key. */
const isPlainPress = (event: PointerEvent): boolean =>
  event.isPrimary && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey

const toPoint = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })

/** A browser sends the click event within this time after the end of a drag. */
const clickDelayMs = 50

/** Prevents the click event after a drag, because the click would open a dragged link. */
function suppressClick(): void {
  const prevent = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', prevent, { capture: true })
  setTimeout(() => window.removeEventListener('click', prevent, { capture: true }), clickDelayMs)
}
