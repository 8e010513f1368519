import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { otherCalendarRoutes, type NewOtherCalendar, type OtherCalendar } from '#contract/otherCalendars.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'

/** Live updates may be missed while the connection is lost, so the dialog polls while a calendar is being read. */
const pollMs = 3000

/** Whether the first read, or the next one after a failure, is due or running. */
export const isReadPending = ({ is_due, problem, last_read_at }: OtherCalendar): boolean =>
  is_due && (problem !== null || last_read_at === null)

export const otherCalendarsQuery = queryOptions({
  queryKey: ['other_calendars'],
  meta: { tables: ['other_calendars', 'other_calendar_sources'] },
  queryFn: ({ signal }) => call(otherCalendarRoutes.list, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.rows.some(isReadPending) ? pollMs : false),
})

export function useAddCalendar(onError: (error: unknown) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Pick<NewOtherCalendar, 'name' | 'address'>) => callForChange(otherCalendarRoutes.create, { body }),
    onError,
    onSuccess: ({ changeId, response }) => toastChange('Calendar added', changeId, response.name),
    onSettled: () => queries.invalidateQueries(otherCalendarsQuery),
  })
}

/** Returns the actions of a calendar. */
export function useCalendarActions({ id, name }: OtherCalendar) {
  const queries = useQueryClient()
  const onError = (error: unknown): void => toastError(error)
  const onSettled = () => queries.invalidateQueries(otherCalendarsQuery)
  const read = useMutation({ mutationFn: () => call(otherCalendarRoutes.read, { params: { id } }), onError, onSettled })
  const remove = useMutation({
    mutationFn: () => callForChange(otherCalendarRoutes.delete, { params: { id } }),
    onError,
    onSuccess: ({ changeId }) => toastChange('Calendar removed', changeId, name),
    onSettled,
  })
  return { read, remove }
}
