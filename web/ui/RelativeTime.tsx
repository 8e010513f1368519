import { createContext, useContext, useEffect, useState } from 'react'

type Words = { relative: (at: string, now: number) => string; exact: (at: string) => string }

/** How times are worded; the shell gives the words of the person's country and time zone. */
export const TimeWords = createContext<Words>({ relative: (at) => at, exact: (at) => at })

/** When something was, as in "3 hours ago"; the exact time shows on hover. `at` is an ISO time. */
export function RelativeTime({ at }: { at: string }) {
  const words = useContext(TimeWords)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={words.exact(at)}>
      {words.relative(at, now)}
    </time>
  )
}
