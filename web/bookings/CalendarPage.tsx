import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { maxCalendarRows } from '#contract/bookings.ts'
import { useActions } from '#web/lib/actions.ts'
import { formatExactDay, formatNumber, getToday } from '#web/lib/format.ts'
import { describeError } from '#web/lib/toasts.ts'
import { usePublishVisibleRecords } from '#web/records/panel/visibleRecords.ts'
import { ChoiceSwitch } from '#web/ui/ChoiceSwitch.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { useNow } from '#web/ui/useNow.ts'
import classes from './bookings.module.css'
import { DayList } from './calendar/DayList.tsx'
import { MonthGrid } from './calendar/MonthGrid.tsx'
import { TimeGrid } from './calendar/TimeGrid.tsx'
import { CalendarsMenu } from './calendars/CalendarsMenu.tsx'
import { parseCalendar, type CalendarView } from './calendarAddress.ts'
import { addDays, addMonths, formatMonth, formatWeek, listDays, listMonthGrid, startOfWeek } from './days.ts'
import { busyTimesQuery, calendarQuery } from './queries.ts'
import { getNewBookingSearch } from './calendar/newTime.ts'
import { zoneQuery } from './zone.ts'
import { ZoneChangesNotice } from './ZoneChangesNotice.tsx'

const route = getRouteApi('/signed-in/bookings/calendar')

/** The calendar by month, week or day. A booking opens in a panel over it. */
export function CalendarPage() {
  const today = getToday(useNow())
  const { view = 'month', day = today, setAddress } = useCalendarAddress()
  const days = listShownDays(view, day)
  const [first = day] = days
  const query = useQuery(calendarQuery(first, addDays(days.at(-1) ?? day, 1)))
  const zone = useQuery(zoneQuery)
  const busy = useQuery(busyTimesQuery(first, addDays(days.at(-1) ?? day, 1)))
  const busyTimes = busy.data?.rows ?? []
  const bookings = useMemo(() => query.data?.rows ?? [], [query.data])
  usePublishVisibleRecords(bookings)
  const showAdjacent = (step: 1 | -1): void => setAddress({ day: getAdjacentDay(view, day, step) })
  const navigate = useNavigate()
  const newSearch = zone.data && getNewBookingSearch(zone.data, day)
  useActions([
    {
      keys: 'n',
      label: 'Add booking',
      run: () => void navigate({ to: '/bookings/calendar/new', search: (search) => ({ ...parseCalendar(search), ...newSearch }) }),
    },
    { keys: 't', label: 'Today', run: () => setAddress({ day: undefined }) },
    { keys: 'm', label: 'Month', run: () => setAddress({ view: undefined }) },
    { keys: 'w', label: 'Week', run: () => setAddress({ view: 'week' }) },
    { keys: 'd', label: 'Day', run: () => setAddress({ view: 'day' }) },
  ])
  const failure = query.data && zone.data ? null : (query.error ?? zone.error)
  const retry = (): void => void Promise.all([query.refetch(), zone.refetch()])
  return (
    <div className={classes['page']}>
      <PageBar
        title="Calendar"
        actions={
          <>
            <CalendarsMenu />
            <Tooltip label="Add booking (N)">
              <Button
                variant="filled"
                renderRoot={(props) => (
                  <Link to="/bookings/calendar/new" search={(search) => ({ ...parseCalendar(search), ...newSearch })} {...props} />
                )}
                leftSection={<IconPlus size={16} stroke={1.75} />}
                aria-keyshortcuts="n"
              >
                Add booking
              </Button>
            </Tooltip>
          </>
        }
      />
      <div className={classes['tools']}>
        <div className={classes['steps']}>
          <ActionIcon size={32} aria-label={`Previous ${view}`} title={`Previous ${view}`} onClick={() => showAdjacent(-1)}>
            <IconChevronLeft size={18} stroke={1.75} />
          </ActionIcon>
          <Button variant="default" title="Today (T)" onClick={() => setAddress({ day: undefined })}>
            Today
          </Button>
          <ActionIcon size={32} aria-label={`Next ${view}`} title={`Next ${view}`} onClick={() => showAdjacent(1)}>
            <IconChevronRight size={18} stroke={1.75} />
          </ActionIcon>
        </div>
        <h2 className={classes['period']} aria-live="polite">
          {formatPeriod(view, day)}
        </h2>
        <ChoiceSwitch
          label="View"
          choices={viewChoices}
          value={view}
          onChange={(next) => setAddress({ view: next === 'month' ? undefined : next })}
        />
      </div>
      <ZoneChangesNotice />
      {query.data?.more && (
        <p className={classes['notice']}>
          The calendar shows the first {formatNumber(maxCalendarRows)} bookings of this {view}.
        </p>
      )}
      {busy.isError && !failure && <p className={classes['notice']}>The busy times of other calendars could not be loaded.</p>}
      {failure ? (
        <FailedState
          title="The calendar could not be loaded"
          reason={describeError(failure)}
          onRetry={retry}
          isRetrying={query.isFetching || zone.isFetching}
        />
      ) : (
        <div className={classes['body']} data-view={view} aria-busy={!query.data || query.isPlaceholderData}>
          {view === 'month' && (
            <>
              <MonthGrid
                days={days}
                day={day}
                today={today}
                bookings={bookings}
                busyTimes={busyTimes}
                onSelect={(selected) => setAddress({ day: selected })}
              />
              <DayList
                day={day}
                bookings={bookings}
                busyTimes={busyTimes}
                isLoading={!query.data || query.isPlaceholderData}
                newSearch={newSearch}
              />
            </>
          )}
          {view !== 'month' && zone.data && (
            <TimeGrid
              key={view}
              zone={zone.data}
              days={days}
              day={day}
              bookings={bookings}
              busyTimes={busyTimes}
              onOpenDay={(opened) => setAddress({ view: 'day', day: opened })}
            />
          )}
        </div>
      )}
      {zone.data && <Outlet />}
    </div>
  )
}

const viewChoices = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
] as const

type Address = { view?: 'week' | 'day' | undefined; day?: string | undefined }

/** The view and the day in the URL, and a function that changes them. */
function useCalendarAddress() {
  const { view, day } = route.useSearch()
  const navigate = useNavigate()
  const setAddress = (changes: Address): void =>
    void navigate({ to: '.', search: (search: Record<string, unknown>) => ({ ...search, ...changes }), replace: true, resetScroll: false })
  return { ...(view && { view }), ...(day && { day }), setAddress }
}

function listShownDays(view: CalendarView, day: string): string[] {
  if (view === 'month') return listMonthGrid(day)
  return view === 'week' ? listDays(startOfWeek(day), 7) : [day]
}

function getAdjacentDay(view: CalendarView, day: string, step: 1 | -1): string {
  if (view === 'month') return addMonths(day, step)
  return addDays(day, view === 'week' ? 7 * step : step)
}

function formatPeriod(view: CalendarView, day: string): string {
  if (view === 'month') return formatMonth(day)
  return view === 'week' ? formatWeek(startOfWeek(day)) : formatExactDay(day)
}
