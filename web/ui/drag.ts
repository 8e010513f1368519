type Point = { x: number; y: number }

type DragHandlers = {
  /** The CSS selector of the elements that can be dragged. */
  selector: string
  /** Called when a drag begins. `offset` is the position of the pointer within the element. Returns false to prevent the drag. */
  onStart: (element: HTMLElement, at: Point, offset: Point) => boolean
  onMove: (at: Point) => void
  onDrop: (at: Point) => void
  onCancel: () => void
}

/** The distance after which a mouse or pen starts a drag. */
const minMousePx = 5
/** A touch starts a drag after this time, if the finger has not moved more than `maxHoldPx`. */
const holdMs = 250
const maxHoldPx = 8
/** The distance from the left or right edge of the box at which the box scrolls. */
const edgePx = 56
const maxScrollPxPerFrame = 14

/**
 * Makes elements in a box draggable by mouse, pen and touch. A touch must be held for a short time first, so that a swipe scrolls. Escape
 * cancels the drag. The box scrolls near its left and right edges. Returns a function that stops it.
 */
export function watchDrag(box: HTMLElement, handlers: DragHandlers): () => void {
  const watching = new AbortController()
  let press: Press | undefined
  const end = (finish?: () => void): void => {
    if (press?.active) suppressClick()
    press?.stop()
    press = undefined
    finish?.()
  }
  const down = (event: PointerEvent): void => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(handlers.selector) : null
    if (!element || !event.isPrimary || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    end()
    press = new Press(box, element, event, handlers, end)
  }
  const { signal } = watching
  box.addEventListener('pointerdown', down, { signal })
  // a drag by touch must not scroll the page or open the context menu
  box.addEventListener('touchmove', (event) => press?.active && event.preventDefault(), { passive: false, signal })
  box.addEventListener('contextmenu', (event) => press?.isTouch && event.preventDefault(), { signal })
  return () => {
    watching.abort()
    end()
  }
}

type End = (finish?: () => void) => void

/** A pointer that is pressed on an element and may start a drag. */
class Press {
  active = false
  readonly isTouch: boolean
  private readonly listening = new AbortController()
  private readonly holdTimer: ReturnType<typeof setTimeout> | undefined
  private readonly from: Point
  private at: Point
  private frame = 0
  private readonly box: HTMLElement
  private readonly element: HTMLElement
  private readonly handlers: DragHandlers

  constructor(box: HTMLElement, element: HTMLElement, event: PointerEvent, handlers: DragHandlers, end: End) {
    this.box = box
    this.element = element
    this.handlers = handlers
    this.isTouch = event.pointerType === 'touch'
    this.from = pointOf(event)
    this.at = this.from
    if (this.isTouch) this.holdTimer = setTimeout(() => this.begin(end), holdMs)
    const { signal } = this.listening
    const forThisPointer = (act: (event: PointerEvent) => void) => (each: PointerEvent) => {
      if (each.pointerId === event.pointerId) act(each)
    }
    window.addEventListener(
      'pointermove',
      forThisPointer((each) => this.move(each, end)),
      { signal },
    )
    window.addEventListener(
      'pointerup',
      forThisPointer(() => end(this.active ? () => handlers.onDrop(this.at) : undefined)),
      { signal },
    )
    window.addEventListener(
      'pointercancel',
      forThisPointer(() => end(this.active ? handlers.onCancel : undefined)),
      { signal },
    )
    window.addEventListener('keydown', (key) => this.escape(key, end), { signal, capture: true })
  }

  stop(): void {
    this.active = false
    clearTimeout(this.holdTimer)
    cancelAnimationFrame(this.frame)
    this.listening.abort()
  }

  private move(event: PointerEvent, end: End): void {
    this.at = pointOf(event)
    if (this.active) return this.handlers.onMove(this.at)
    const distance = Math.hypot(this.at.x - this.from.x, this.at.y - this.from.y)
    if (this.isTouch && distance > maxHoldPx) end()
    if (!this.isTouch && distance > minMousePx) this.begin(end)
  }

  private begin(end: End): void {
    const { left, top } = this.element.getBoundingClientRect()
    const offset = { x: this.from.x - left, y: this.from.y - top }
    if (!this.handlers.onStart(this.element, this.at, offset)) return end()
    this.active = true
    window.getSelection()?.removeAllRanges()
    this.frame = requestAnimationFrame(() => this.scroll())
  }

  private escape(event: KeyboardEvent, end: End): void {
    if (event.key !== 'Escape' || !this.active) return
    event.preventDefault()
    event.stopPropagation()
    end(this.handlers.onCancel)
  }

  private scroll(): void {
    const { left, right } = this.box.getBoundingClientRect()
    const overlap = Math.max(0, this.at.x - (right - edgePx)) - Math.max(0, left + edgePx - this.at.x)
    const step = Math.round((Math.min(Math.abs(overlap), edgePx) / edgePx) * maxScrollPxPerFrame) * Math.sign(overlap)
    if (step !== 0) {
      this.box.scrollLeft += step
      this.handlers.onMove(this.at)
    }
    this.frame = requestAnimationFrame(() => this.scroll())
  }
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })

/** Prevents the click event after a drag, which would open a dragged link. */
function suppressClick(): void {
  const prevent = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', prevent, { capture: true })
  setTimeout(() => window.removeEventListener('click', prevent, { capture: true }), 50)
}
