import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { zoneChangeRoutes } from '#contract/zoneChanges.ts'
import { call } from '#web/lib/client.ts'
import { formatCount, formatNumber, getDayOf } from '#web/lib/format.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import classes from './ZoneChangesNotice.module.css'

const zoneChangesQuery = queryOptions({
  queryKey: ['bookings', 'zone changes'],
  meta: { tables: ['bookings', 'booking_zone_changes'] },
  queryFn: ({ signal }) => call(zoneChangeRoutes.list, {}, { signal }),
})

/** Lists the bookings whose clock time has changed with the rules of a time zone. Shows nothing without such bookings. */
export function ZoneChangesNotice() {
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const { data } = useQuery(zoneChangesQuery)
  const dismiss = useMutation({
    mutationFn: () => call(zoneChangeRoutes.dismiss, {}),
    onSuccess: () => refreshTables(['booking_zone_changes']),
    onError: toastError,
  })
  if (!data || data.count === 0) return null
  const ToggleIcon = isOpen ? IconChevronDown : IconChevronRight
  return (
    <section className={classes['notice']} aria-label="Changed time zones">
      <div className={classes['head']}>
        <p>
          The rules of a time zone have changed. {formatCount(data.count, 'booking')} {data.count === 1 ? 'keeps its' : 'keep their'}{' '}
          moment, but clocks show another time then. Move {data.count === 1 ? 'it' : 'them'} if the time on the clock matters.
        </p>
        <UnstyledButton
          className={classes['toggle']}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setIsOpen((previous) => !previous)}
        >
          <ToggleIcon size={16} stroke={1.75} aria-hidden />
          {isOpen ? 'Hide bookings' : 'Show bookings'}
        </UnstyledButton>
        <Button variant="default" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          Dismiss
        </Button>
      </div>
      <div id={listId}>
        {isOpen && (
          <ul className={classes['list']}>
            {data.rows.map(({ booking_id: id, title, attendee_name: name, start_time, timezone, before, after }) => (
              <li key={`${id} ${timezone}`}>
                <Link to="/bookings/calendar/$id" params={{ id }} search={{ day: getDayOf(Date.parse(start_time)) }} className="link">
                  {name ? `${title}, ${name}` : title}
                </Link>
                <span>
                  {after} in {timezone.replaceAll('_', ' ')}, before: {before}
                </span>
              </li>
            ))}
            {data.count > data.rows.length && <li>and {formatNumber(data.count - data.rows.length)} more</li>}
          </ul>
        )}
      </div>
    </section>
  )
}
