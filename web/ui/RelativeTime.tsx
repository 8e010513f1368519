import { createContext, useContext, useEffect, useState } from 'react'

type Formats = { relative: (at: string, now: number) => string; exact: (at: string) => string }

/** The formats of times. The shell sets them for the user's country and time zone. */
export const TimeFormats = createContext<Formats>({ relative: (at) => at, exact: (at) => at })

/** A time as in "3 hours ago", with the exact time on hover. `at` is an ISO time. */
export function RelativeTime({ at }: { at: string }) {
  const formats = useContext(TimeFormats)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={formats.exact(at)}>
      {formats.relative(at, now)}
    </time>
  )
}
