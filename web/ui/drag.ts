type Point = { x: number; y: number }

type Dragging = {
  /** What can be dragged, as a CSS selector. */
  selector: string
  /** It is lifted; false leaves it where it is. `grip`: where in it the pointer is. */
  onStart: (source: HTMLElement, at: Point, grip: Point) => boolean
  onMove: (at: Point) => void
  onDrop: (at: Point) => void
  onCancel: () => void
}

/** A mouse lifts after so many px; a finger after so long, unless it has gone further than a trembling hand by then. */
const mousePx = 5
const holdMs = 250
const tremblePx = 8
/** So near to an edge, in px, the box scrolls sideways, by at most so much a frame. */
const edgePx = 56
const fastestPx = 14

/**
 * Lets things in a box be dragged by mouse, by pen, and by finger after a short hold: a swipe scrolls as ever. Escape cancels.
 * Near its sides the box scrolls along. Returns what stops it.
 */
export function watchDrag(box: HTMLElement, dragging: Dragging): () => void {
  const watching = new AbortController()
  let press: Press | undefined
  const end = (finish?: () => void): void => {
    if (press?.active) holdClick()
    press?.stop()
    press = undefined
    finish?.()
  }
  const down = (event: PointerEvent): void => {
    const source = event.target instanceof Element ? event.target.closest<HTMLElement>(dragging.selector) : null
    if (!source || !event.isPrimary || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    end()
    press = new Press(box, source, event, dragging, end)
  }
  const { signal } = watching
  box.addEventListener('pointerdown', down, { signal })
  // a held finger: no scrolling while it drags, and no menu
  box.addEventListener('touchmove', (event) => press?.active && event.preventDefault(), { passive: false, signal })
  box.addEventListener('contextmenu', (event) => press?.isFinger && event.preventDefault(), { signal })
  return () => {
    watching.abort()
    end()
  }
}

type End = (finish?: () => void) => void

/** One press of a pointer, which may become a drag. */
class Press {
  active = false
  readonly isFinger: boolean
  private readonly listening = new AbortController()
  private readonly hold: ReturnType<typeof setTimeout> | undefined
  private readonly from: Point
  private at: Point
  private frame = 0
  private readonly box: HTMLElement
  private readonly source: HTMLElement
  private readonly dragging: Dragging

  constructor(box: HTMLElement, source: HTMLElement, event: PointerEvent, dragging: Dragging, end: End) {
    this.box = box
    this.source = source
    this.dragging = dragging
    this.isFinger = event.pointerType === 'touch'
    this.from = pointOf(event)
    this.at = this.from
    if (this.isFinger) this.hold = setTimeout(() => this.begin(end), holdMs)
    const { signal } = this.listening
    const own = (act: (event: PointerEvent) => void) => (each: PointerEvent) => {
      if (each.pointerId === event.pointerId) act(each)
    }
    window.addEventListener(
      'pointermove',
      own((each) => this.move(each, end)),
      { signal },
    )
    window.addEventListener(
      'pointerup',
      own(() => end(this.active ? () => dragging.onDrop(this.at) : undefined)),
      { signal },
    )
    window.addEventListener(
      'pointercancel',
      own(() => end(this.active ? dragging.onCancel : undefined)),
      { signal },
    )
    window.addEventListener('keydown', (key) => this.escape(key, end), { signal, capture: true })
  }

  stop(): void {
    this.active = false
    clearTimeout(this.hold)
    cancelAnimationFrame(this.frame)
    this.listening.abort()
  }

  private move(event: PointerEvent, end: End): void {
    this.at = pointOf(event)
    if (this.active) return this.dragging.onMove(this.at)
    const far = Math.hypot(this.at.x - this.from.x, this.at.y - this.from.y)
    if (this.isFinger && far > tremblePx) end()
    if (!this.isFinger && far > mousePx) this.begin(end)
  }

  private begin(end: End): void {
    const { left, top } = this.source.getBoundingClientRect()
    const grip = { x: this.from.x - left, y: this.from.y - top }
    if (!this.dragging.onStart(this.source, this.at, grip)) return end()
    this.active = true
    window.getSelection()?.removeAllRanges()
    this.frame = requestAnimationFrame(() => this.scroll())
  }

  private escape(event: KeyboardEvent, end: End): void {
    if (event.key !== 'Escape' || !this.active) return
    event.preventDefault()
    event.stopPropagation()
    end(this.dragging.onCancel)
  }

  private scroll(): void {
    const { left, right } = this.box.getBoundingClientRect()
    const near = Math.max(0, this.at.x - (right - edgePx)) - Math.max(0, left + edgePx - this.at.x)
    const step = Math.round((Math.min(Math.abs(near), edgePx) / edgePx) * fastestPx) * Math.sign(near)
    if (step !== 0) {
      this.box.scrollLeft += step
      this.dragging.onMove(this.at)
    }
    this.frame = requestAnimationFrame(() => this.scroll())
  }
}

const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ x: clientX, y: clientY })

/** Letting go of a link that was dragged must not follow it: the click comes right after. */
function holdClick(): void {
  const hold = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', hold, { capture: true })
  setTimeout(() => window.removeEventListener('click', hold, { capture: true }), 50)
}
