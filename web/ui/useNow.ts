import { useEffect, useState } from 'react'

const updateMs = 60_000

/** Returns the current time in ms since 1970, and renders the component again every minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), updateMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
