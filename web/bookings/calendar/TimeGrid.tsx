import { IconCheck, IconUserX } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type MouseEvent } from 'react'
import type { CalendarBooking } from '#contract/bookings.ts'
import type { OtherBusyTime } from '#contract/otherCalendars.ts'
import { formatExactDay } from '#web/lib/format.ts'
import { useNow } from '#web/ui/useNow.ts'
import { formatWeekday } from '../days.ts'
import { formatBookingTime, formatMinutesOfDay, toLocal, type Zone } from '../zone.ts'
import { formatBusyTime, formatTimes } from './dayBookings.ts'
import { layOutBusyTimes, layOutDay, type Segment } from './lanes.ts'
import { getNewTimeSearch } from './newTime.ts'
import { parseCalendar } from '../calendarAddress.ts'
import { getStatusLabel } from '../kind/statuses.ts'
import classes from './TimeGrid.module.css'
import { useMoving } from './useMoving.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** In px; the style sheet has the same value. */
const hourPx = 48
const dayMinutes = 24 * 60
/** The hour at the top when the grid opens. */
const firstHour = 8
/** A click adds a booking that begins at the clicked half hour. */
const clickMinutes = 30

type TimeGridProps = {
  zone: Zone
  days: readonly string[]
  /** The selected day, which is in view when the grid opens. */
  day: string
  bookings: readonly CalendarBooking[]
  /** The busy times of other calendars, which cannot be moved. */
  busyTimes: readonly OtherBusyTime[]
  onOpenDay: (day: string) => void
}

/** The hours of one or more days with their bookings. A click on a free time adds a booking. */
export function TimeGrid({ zone, days, day: selectedDay, bookings, busyTimes, onOpenDay }: TimeGridProps) {
  const shown = bookings.filter(({ status }) => status !== 'cancelled')
  const moving = useMoving(zone, shown, days)
  const now = toLocal(zone, useNow())
  const scroller = useRef<HTMLElement>(null)
  useEffect(() => {
    scroller.current?.scrollTo({ top: firstHour * hourPx - hourPx / 2 })
  }, [])
  useEffect(() => {
    const column = scroller.current?.querySelector<HTMLElement>(`[data-column="${selectedDay}"]`)
    const hoursWidth = scroller.current?.querySelector<HTMLElement>('[data-hours]')?.offsetWidth ?? 0
    if (column) scroller.current?.scrollTo({ left: column.offsetLeft - hoursWidth })
  }, [selectedDay])
  const setScroller = (element: HTMLElement | null): void => {
    scroller.current = element
    moving.setGrid(element)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of the bookings
    <section
      ref={setScroller}
      className={classes['scroller']}
      data-days={days.length}
      onKeyDown={moving.handleKey}
      onPointerDown={moving.cancelKeyboardMove}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a keyboard must be able to scroll the hours
      tabIndex={0}
      aria-label={days.length === 1 ? 'Day' : 'Week'}
    >
      <div className={classes['grid']}>
        <div className={classes['corner']} />
        {days.map((day) => (
          <DayHead key={day} day={day} isToday={day === now.date} isOnly={days.length === 1} onOpen={onOpenDay} />
        ))}
        <div className={classes['hours']} data-hours aria-hidden>
          {hours.map((hour) => (
            <span key={hour}>{hour > 0 && formatMinutesOfDay(hour * 60)}</span>
          ))}
        </div>
        {days.map((day) => (
          <DayColumn
            key={day}
            zone={zone}
            day={day}
            nowMinutes={day === now.date ? now.minutes : undefined}
            segments={layOutDay(zone, day, moving.bookings)}
            movedId={moving.movedId}
            busyTimes={busyTimes}
          />
        ))}
      </div>
      <output className={classes['screenReaderOnly']}>{moving.announcement}</output>
    </section>
  )
}

type DayHeadProps = { day: string; isToday: boolean; isOnly: boolean; onOpen: (day: string) => void }

function DayHead({ day, isToday, isOnly, onOpen }: DayHeadProps) {
  const content = (
    <>
      {formatWeekday(day)} <b>{Number(day.slice(8))}</b>
    </>
  )
  const current = isToday ? 'date' : undefined
  if (isOnly)
    return (
      <div className={classes['head']} aria-current={current}>
        {content}
      </div>
    )
  return (
    <button type="button" className={classes['head']} aria-current={current} title={formatExactDay(day)} onClick={() => onOpen(day)}>
      {content}
    </button>
  )
}

type DayColumnProps = {
  zone: Zone
  day: string
  /** The current time in minutes since midnight; undefined on every day but today. */
  nowMinutes: number | undefined
  segments: readonly Segment[]
  movedId: string | undefined
  busyTimes: readonly OtherBusyTime[]
}

function DayColumn({ zone, day, nowMinutes, segments, movedId, busyTimes }: DayColumnProps) {
  const navigate = useNavigate()
  const addAtClick = ({ target, currentTarget, clientY }: MouseEvent<HTMLElement>): void => {
    const isFree = target === currentTarget || (target instanceof Element && target.closest('[data-busy]'))
    if (!isFree) return
    const { top, height } = currentTarget.getBoundingClientRect()
    const minutes = Math.floor((((clientY - top) / height) * dayMinutes) / clickMinutes) * clickMinutes
    const times = getNewTimeSearch(zone, { date: day, minutes })
    void navigate({ to: '/bookings/calendar/new', search: (search) => ({ ...parseCalendar(search), ...times }) })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the button and the key N do the same
    <div className={classes['column']} data-column={day} data-today={nowMinutes !== undefined || undefined} onClick={addAtClick}>
      {layOutBusyTimes(zone, day, busyTimes).map((part) => (
        <BusyBlock key={part.busyTime.id} day={day} part={part} />
      ))}
      {segments.map((segment) => (
        <BookingBlock key={segment.booking.id} zone={zone} segment={segment} isMoved={segment.booking.id === movedId} />
      ))}
      {nowMinutes !== undefined && <NowLine minutes={nowMinutes} />}
    </div>
  )
}

/** A busy time of another calendar. The owner can still add bookings during it. */
function BusyBlock({ day, part }: { day: string; part: ReturnType<typeof layOutBusyTimes>[number] }) {
  const { name } = part.busyTime
  const time = formatBusyTime(part.busyTime, day)
  return (
    <div className={classes['busy']} style={getPosition(part)} title={`Busy: ${time} ${name}`} data-busy>
      <span className={classes['busyText']}>
        <span className={classes['screenReaderOnly']}>Busy: </span>
        {name} {time}
      </span>
    </div>
  )
}

const getPosition = ({ from, to, lane, lanes }: Pick<Segment, 'from' | 'to' | 'lane' | 'lanes'>) => ({
  top: `${(from / dayMinutes) * 100}%`,
  height: `${((to - from) / dayMinutes) * 100}%`,
  left: `${(lane / lanes) * 100}%`,
  width: `${100 / lanes}%`,
})

/** The icons of bookings that are over. */
const endedIcons = { completed: IconCheck, 'no-show': IconUserX } as const

type BookingBlockProps = { zone: Zone; segment: Segment; isMoved: boolean }

function BookingBlock({ zone, segment, isMoved }: BookingBlockProps) {
  const { booking, from, to, isFirst, isLast } = segment
  const { id, title, status, attendee_name, contact_name, start_time, end_time, booking_link_color: color } = booking
  const { start, end } = formatTimes(zone, segment)
  const isWholeOnDay = isFirst && isLast
  const name = attendee_name || contact_name
  const ended = status === 'completed' || status === 'no-show' ? { label: getStatusLabel(status), Icon: endedIcons[status] } : undefined
  return (
    <Link
      to="/bookings/calendar/$id"
      params={{ id }}
      search={parseCalendar}
      draggable={false}
      className={classes['booking']}
      style={{
        ...getPosition(segment),
        ...(color && { borderLeftColor: color, backgroundColor: `color-mix(in srgb, ${color} ${ended ? 8 : 18}%, var(--f-canvas))` }),
      }}
      title={[isWholeOnDay ? `${start} to ${end}` : formatBookingTime(zone, start_time, end_time), title, name, ended?.label]
        .filter(Boolean)
        .join('\n')}
      data-booking={id}
      data-last={isLast || undefined}
      data-lines={countLines(to - from)}
      data-wraps={(!isWholeOnDay && to - from >= minWrapMinutes) || undefined}
      data-moved={isMoved || undefined}
      data-ended={ended !== undefined || undefined}
    >
      <span className={classes['text']}>
        <b dir="auto">
          {ended && <ended.Icon className={classes['icon']} size={12} stroke={1.75} aria-hidden />}
          {title}
        </b>{' '}
        <span className={classes['time']}>
          {start}
          <span className={classes['end']}> - {end}</span>
        </span>{' '}
        {name && (
          <span className={classes['name']} dir="auto">
            {name}
          </span>
        )}
        {ended && <span className={classes['screenReaderOnly']}> {ended.label}</span>}
      </span>
    </Link>
  )
}

/** Times with days may need two lines. A booking of this length has room for them and the name. */
const minWrapMinutes = 80

/** Returns how many lines of text a booking of this length has room for: title, time and name have one each if there are three. */
function countLines(minutes: number): 1 | 2 | 3 {
  if (minutes < 40) return 1
  return minutes < 60 ? 2 : 3
}

/** A line at the current time. */
const NowLine = ({ minutes }: { minutes: number }) => (
  <span className={classes['now']} style={{ top: `${(minutes / dayMinutes) * 100}%` }} aria-hidden />
)
