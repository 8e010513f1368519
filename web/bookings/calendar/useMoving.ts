import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { CalendarBooking } from '#contract/bookings.ts'
import { useHandledKeys } from '#web/lib/handledKeys.ts'
import { useStore } from '#web/lib/store.ts'
import { enableDragging } from '#web/ui/drag.ts'
import { formatBookingTime, toInstant, toLocal, type Zone } from '../zone.ts'
import { moveBooking, unsavedTimes, type Times } from './moveBooking.ts'

type Point = { x: number; y: number }

const minuteMs = 60_000
const stepMs = 15 * minuteMs
const dayMinutes = 24 * 60
/** The height in px of the area at the lower end of a booking where a drag changes its length, for a mouse and for a finger. */
const handlePx = { mouse: 10, touch: 18 }

/** A booking that is being dragged, or moved with the keyboard. `grabMs` is the time from its start to the pressed point. */
type Draft = { booking: CalendarBooking; times: Times; isResize: boolean; grabMs: number; isByKeyboard: boolean }

const movingKeys = [
  { keys: 'Space', label: 'Lift the focused booking, then save it' },
  { keys: 'ArrowUp ArrowDown ArrowLeft ArrowRight', label: 'Move it' },
  { keys: 'shift+ArrowUp shift+ArrowDown', label: 'Change its length' },
  { keys: 'Escape', label: 'Put it back' },
] as const

const timesOf = ({ start_time, end_time }: CalendarBooking): Times => ({ start: Date.parse(start_time), end: Date.parse(end_time) })
const roundToStep = (instant: number): number => Math.round(instant / stepMs) * stepMs

/**
 * Moves and lengthens bookings of the time grid by mouse, by touch after a short hold, and by keyboard: Space lifts a booking, arrow keys
 * move it within the shown `days`, Shift with up and down changes its length, Space saves, Escape puts it back.
 */
export function useMoving(zone: Zone, allBookings: readonly CalendarBooking[], days: readonly string[]) {
  const [grid, setGrid] = useState<HTMLElement | null>(null)
  const [draft, setDraft] = useState<Draft>()
  const [announcement, announce] = useState('')
  useHandledKeys('Moving a booking', movingKeys)
  const unsaved = useStore(unsavedTimes)
  const bookings = allBookings.map((booking) => {
    const times = draft?.booking.id === booking.id ? draft.times : unsaved.get(booking.id)
    return times ? { ...booking, start_time: new Date(times.start).toISOString(), end_time: new Date(times.end).toISOString() } : booking
  })
  const describe = ({ start, end }: Times): string => formatBookingTime(zone, new Date(start).toISOString(), new Date(end).toISOString())
  const save = (): void => {
    if (!draft) return
    setDraft(undefined)
    const shown = bookings.find(({ id }) => id === draft.booking.id)
    const { start, end } = timesOf(draft.booking)
    if (!shown || (draft.times.start === start && draft.times.end === end)) return announce(`“${draft.booking.title}” stays where it is.`)
    moveBooking({ booking: draft.booking, times: draft.times, zone })
    announce(`“${draft.booking.title}” was moved to ${describe(draft.times)}.`)
  }
  const cancel = (): void => {
    setDraft(undefined)
    announce(draft ? `“${draft.booking.title}” stays where it is.` : '')
  }
  const findBooking = (element: Element | null): CalendarBooking | undefined => {
    const id = element?.closest<HTMLElement>('[data-booking]')?.dataset['booking']
    return bookings.find((booking) => booking.id === id)
  }
  const startDragging = useEffectEvent((element: HTMLElement, offset: Point): boolean => {
    const booking = findBooking(element)
    const { left, top } = element.getBoundingClientRect()
    // the pressed point, because the pointer has already moved a little when the drag begins
    const pointedMs = grid && findInstant(grid, zone, { x: left + offset.x, y: top + offset.y })
    if (!booking || pointedMs === undefined || pointedMs === null) return false
    const handle = window.matchMedia('(hover: none)').matches ? handlePx.touch : handlePx.mouse
    // a booking that ends on a later day has a block on each day, and only the last one shows its end
    const isResize = element.dataset['last'] !== undefined && offset.y > element.offsetHeight - handle
    const times = timesOf(booking)
    setDraft({ booking, times, isResize, grabMs: pointedMs - times.start, isByKeyboard: false })
    return true
  })
  const move = useEffectEvent((pointer: Point): void => {
    const pointedMs = grid && findInstant(grid, zone, pointer)
    if (!draft || pointedMs === undefined || pointedMs === null) return
    const { booking, isResize, grabMs } = draft
    const original = timesOf(booking)
    const newStart = roundToStep(pointedMs - grabMs)
    const times = isResize
      ? { start: original.start, end: Math.max(original.start + stepMs, roundToStep(pointedMs)) }
      : { start: newStart, end: newStart + original.end - original.start }
    if (times.start !== draft.times.start || times.end !== draft.times.end) setDraft({ ...draft, times })
  })
  const drop = useEffectEvent(save)
  const cancelDragging = useEffectEvent(cancel)
  useEffect(() => {
    if (!grid) return undefined
    return enableDragging(grid, {
      selector: '[data-booking]',
      onStart: (element, _pointer, offset) => startDragging(element, offset),
      onMove: (pointer) => move(pointer),
      onDrop: () => drop(),
      onCancel: () => cancelDragging(),
    })
  }, [grid])
  /**
   * The booking that has handled the last key. It gets the focus again, because React creates it anew in the column of another day, and
   * stays in view.
   */
  const focusedId = useRef<string>(undefined)
  useLayoutEffect(() => {
    const id = focusedId.current
    focusedId.current = undefined
    if (id === undefined) return
    const focused = document.activeElement?.closest<HTMLElement>('[data-booking]')
    const block = focused?.dataset['booking'] === id ? focused : grid?.querySelector<HTMLElement>(`[data-booking="${id}"]`)
    if (block !== focused) block?.focus()
    block?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  const handleKey = (event: KeyboardEvent): void => {
    const booking = event.target instanceof Element ? findBooking(event.target) : undefined
    if (!booking || event.ctrlKey || event.metaKey || event.altKey) return
    // the user has moved the focus to another booking, for example with Tab: the keys must not move the lifted one
    if (draft && draft.booking.id !== booking.id) cancel()
    const lifted = draft?.booking.id === booking.id ? draft : undefined
    const next = lifted && moveByKey(zone, lifted.times, event)
    if (!next && event.key !== ' ' && !(lifted && event.key === 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    focusedId.current = booking.id
    if (next) {
      if (!days.includes(toLocal(zone, next.start).date)) return announce('This day is not shown.')
      setDraft({ ...lifted, times: next })
      return announce(describe(next))
    }
    if (event.key === 'Escape') return cancel()
    if (lifted) return save()
    setDraft({ booking, times: timesOf(booking), isResize: false, grabMs: 0, isByKeyboard: true })
    announce(
      `“${booking.title}” is lifted. Arrow keys move it, Shift with up and down changes its length, Space saves, Escape puts it back.`,
    )
  }
  return {
    setGrid,
    bookings,
    movedId: draft?.booking.id,
    announcement,
    handleKey,
    cancelKeyboardMove: () => draft?.isByKeyboard && cancel(),
  }
}

/** Returns the instant in ms of a point of the grid, of the nearest day if the point is beside it. */
function findInstant(grid: HTMLElement, zone: Zone, { x, y }: Point): number | undefined {
  const columns = [...grid.querySelectorAll<HTMLElement>('[data-column]')]
  const distanceOf = (column: HTMLElement): number => {
    const { left, right } = column.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  const [column] = columns.toSorted((one, other) => distanceOf(one) - distanceOf(other))
  const date = column?.dataset['column']
  if (!column || !date) return undefined
  const { top, height } = column.getBoundingClientRect()
  const minutes = Math.min(Math.max(((y - top) / height) * dayMinutes, 0), dayMinutes)
  return toInstant(zone, { date, minutes })
}

/** Returns the times after an arrow key; undefined for other keys. Left and right keep the time of day. */
function moveByKey(zone: Zone, { start, end }: Times, { key, shiftKey }: KeyboardEvent): Times | undefined {
  const vertical = { ArrowUp: -stepMs, ArrowDown: stepMs }[key]
  if (vertical !== undefined && shiftKey) return { start, end: Math.max(start + stepMs, end + vertical) }
  if (vertical !== undefined) return { start: start + vertical, end: end + vertical }
  const days = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (days === undefined) return undefined
  const { date, minutes } = toLocal(zone, start)
  const newDate = new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMinutes * minuteMs).toISOString().slice(0, 10)
  const newStart = toInstant(zone, { date: newDate, minutes })
  return { start: newStart, end: newStart + end - start }
}
