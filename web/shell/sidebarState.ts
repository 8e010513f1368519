import { useState } from 'react'
import { useMediaQuery } from '@mantine/hooks'

const cookie = 'sidebar'
const cookieSeconds = 7 * 86_400
const synchronously = { getInitialValueInEffect: false }

type Sidebar = { isPhone: boolean; rail: boolean; toggle: () => void }

/** Whether the sidebar is a rail of icons: as the person left it, and always at first between phone and desktop. */
export function useSidebar(): Sidebar {
  const isPhone = useMediaQuery('(max-width: 767px)', false, synchronously)
  const narrow = useMediaQuery('(max-width: 1023px)', false, synchronously)
  const [wideRail, setWideRail] = useState(() => document.cookie.includes(`${cookie}=rail`))
  const [narrowRail, setNarrowRail] = useState(true)
  const toggle = (): void => {
    if (narrow) return setNarrowRail(!narrowRail)
    document.cookie = `${cookie}=${wideRail ? 'open' : 'rail'}; path=/; max-age=${cookieSeconds}; samesite=lax`
    setWideRail(!wideRail)
  }
  return { isPhone, rail: !isPhone && (narrow ? narrowRail : wideRail), toggle }
}
