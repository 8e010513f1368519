import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { ActionIcon } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { Outlet, useLocation } from '@tanstack/react-router'
import { listenForChanges } from '#web/lib/events.ts'
import { exactTime, relativeTime } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { PageBarLead } from '#web/ui/PageBar.tsx'
import { TimeWords } from '#web/ui/RelativeTime.tsx'
import { Keyboard } from './Keyboard.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useSidebar } from './sidebarState.ts'
import classes from './Frame.module.css'

const NavigationSheet = lazy(() => import('./NavigationSheet.tsx').then((module) => ({ default: module.NavigationSheet })))

/** What stands around every signed-in screen: the sidebar, on phones a sheet, and what listens in the background. */
export function Frame() {
  const sidebar = useSidebar()
  const [sheetOpen, setSheetOpen] = useState(false)
  const main = useFocusOnArrival()
  useEffect(listenForChanges, [])
  return (
    <TimeWords value={useTimeWords()}>
      <div className={classes['frame']} data-rail={sidebar.rail || undefined}>
        <a className={classes['skip']} href="#content">
          Skip to content
        </a>
        {!sidebar.isPhone && <Sidebar rail={sidebar.rail} onFold={sidebar.toggle} />}
        <Suspense>{sidebar.isPhone && <NavigationSheet opened={sheetOpen} onClose={() => setSheetOpen(false)} />}</Suspense>
        <main className={classes['main']} id="content" tabIndex={-1} ref={main}>
          <PageBarLead value={sidebar.isPhone ? <Burger onOpen={() => setSheetOpen(true)} /> : null}>
            <Outlet />
          </PageBarLead>
        </main>
        <Keyboard onFold={sidebar.isPhone ? () => setSheetOpen(!sheetOpen) : sidebar.toggle} />
      </div>
    </TimeWords>
  )
}

function Burger({ onOpen }: { onOpen: () => void }) {
  return (
    <ActionIcon size={44} className={classes['burger'] ?? ''} aria-label="Open navigation" onClick={onOpen}>
      <IconMenu2 size={20} stroke={1.6} />
    </ActionIcon>
  )
}

/** Times in the words of this person; new functions when the profile changes, so that what shows times renders again. */
function useTimeWords(): { relative: typeof relativeTime; exact: typeof exactTime } {
  const { timezone, country } = useSession().profile
  // oxlint-disable-next-line react/exhaustive-deps -- the formats change with these two
  return useMemo(() => ({ relative: (at, now) => relativeTime(at, now), exact: (at) => exactTime(at) }), [timezone, country])
}

/** A new page takes the focus when the link that led there is gone, so that reading goes on at its top. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    if (pathname && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
