import { createContext, useContext } from 'react'
import { useNow } from './useNow.ts'

type TimeFormats = {
  relative: (at: string, now: number) => string
  planned: (at: string, now: number) => string
  exact: (at: string) => string
}

/** The functions that format times. The shell sets them for the user's country and time zone. */
export const TimeFormatsContext = createContext<TimeFormats>({ relative: (at) => at, planned: (at) => at, exact: (at) => at })

/**
 * A time as "3 hours ago", updated every minute. The exact time appears on hover. `at` is an ISO time. `isPlanned` is true for the
 * time of something that has not happened yet, even if the time has passed.
 */
export function RelativeTime({ at, isPlanned = false }: { at: string; isPlanned?: boolean }) {
  const formats = useContext(TimeFormatsContext)
  const now = useNow()
  return (
    <time dateTime={at} title={formats.exact(at)}>
      {isPlanned ? formats.planned(at, now) : formats.relative(at, now)}
    </time>
  )
}
