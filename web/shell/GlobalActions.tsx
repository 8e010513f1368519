import { useCallback, useEffect, useState, type ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
  IconPrinter,
  IconSearch,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useActions, type Action, type ActionLink } from '#web/lib/actions.ts'
import { startOpening } from '#web/lib/openings.ts'
import { listenForShortcuts } from '#web/lib/shortcuts.ts'
import { useStore } from '#web/lib/store.ts'
import { dismissToasts, toast } from '#web/lib/toasts.ts'
import { preloadDelivery } from '#web/lib/typeAhead.ts'
import { loadUndo, redoChange, undoChange } from '#web/lib/undo.ts'
import { returnFocus } from '#web/lib/waitingKeys.ts'
import { colorSchemes } from '#web/ui/colorSchemes.ts'
import { features } from './features.ts'
import { closeOverlays, keyboardHelpState, paletteState, preloadPalette } from './overlays.ts'
import { LoadingPalette } from './palette/LoadingPalette.tsx'
import { entries } from './SidebarLinks.tsx'
import { signOutWithToast } from './signOut.ts'

const KeyboardHelpDialog = lazyPart(() => import('./KeyboardHelpDialog.tsx').then((module) => module.KeyboardHelpDialog))

/** Code that no first screen needs is loaded after this time. */
const preloadDelayMs = 4000

const closeHelp = () => keyboardHelpState.set(false)

/**
 * Registers the actions that every screen has, handles shortcuts, and shows the command palette and the list of shortcuts. Loads the code
 * of deferred parts, such as the label that says that the browser is offline, some seconds after the first screen.
 */
export function GlobalActions({ onToggleSidebar }: { onToggleSidebar: () => void }) {
  const isHelpOpen = useStore(keyboardHelpState)
  const isPaletteOpen = useStore(paletteState)
  const { DeferredParts, loadDeferredParts } = useDeferredParts()
  useGlobalActions({ onToggleSidebar, onPrint: () => void loadDeferredParts().finally(() => window.print()) })
  useEffect(listenForShortcuts, [])
  useOpeningPages()
  useEffect(() => {
    const showDeferredParts = (): void => void loadDeferredParts()
    const timer = setTimeout(() => {
      preloadPalette()
      preloadDelivery() // the code that delivers the keys that were pressed while a page or dialog was opening
      loadUndo().catch(() => undefined)
      showDeferredParts()
    }, preloadDelayMs)
    window.addEventListener('online', showDeferredParts) // loads the deferred parts if their code could not be loaded before
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', showDeferredParts)
    }
  }, [loadDeferredParts])
  useOfflineToast(DeferredParts === undefined)
  useEffect(() => closeOverlays, []) // closes the palette and the help at sign-out, so that they are not open after the next sign-in
  return (
    <>
      {DeferredParts && <DeferredParts />}
      {isHelpOpen && <KeyboardHelpDialog onLoadCancelled={closeHelp} onClose={closeHelp} />}
      {isPaletteOpen && <LoadingPalette onClose={() => paletteState.set(false)} />}
    </>
  )
}

/**
 * Returns the component of the deferred parts (undefined until its code is loaded), and a function that loads it. The function resolves when
 * the component is rendered or could not be loaded.
 */
function useDeferredParts() {
  const [DeferredParts, setDeferredParts] = useState<ComponentType>()
  const loadDeferredParts = useCallback(async (): Promise<void> => {
    const module = await import('./DeferredParts.tsx').catch(() => undefined)
    // `flushSync` renders the parts before this function returns, because printing must find them in the page
    if (module) flushSync(() => setDeferredParts(() => module.DeferredParts))
  }, [])
  return { DeferredParts, loadDeferredParts }
}

const offlineTitle = 'Offline'

/** Shows a toast while the browser is offline. It replaces `ConnectionPill`, whose code cannot be loaded while the browser is offline. */
function useOfflineToast(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined
    const show = (): void =>
      toast({ kind: 'error', title: offlineTitle, message: 'Changes cannot be saved until the connection is back.', isLasting: true })
    const hide = (): void => dismissToasts(({ title }) => title === offlineTitle)
    window.addEventListener('offline', show)
    window.addEventListener('online', hide)
    return () => {
      hide()
      window.removeEventListener('offline', show)
      window.removeEventListener('online', hide)
    }
  }, [isEnabled])
}

/** While the router opens another page, keeps the keys that the user presses until that page is shown. */
function useOpeningPages(): void {
  const router = useRouter()
  useEffect(() => {
    let endOpening = (): void => {}
    const start = ({ fromLocation, pathChanged }: { fromLocation?: unknown; pathChanged: boolean }): void => {
      endOpening()
      if (fromLocation && pathChanged) endOpening = startOpening() // not for the first page, and not for a change of the parameters
    }
    const unsubscribers = [
      router.subscribe('onBeforeNavigate', start),
      router.subscribe('onBeforeRouteMount', returnFocus), // before the page is mounted, because a dialog stores the focused element
      router.subscribe('onResolved', () => endOpening()),
    ]
    return () => {
      endOpening()
      for (const unsubscribe of unsubscribers) unsubscribe()
    }
  }, [router])
}

/** The group of these actions in the list of shortcuts. */
const group = 'Everywhere'

/** The actions that open the pages of the sidebar. */
const pages = entries.map(({ label, address, icon, keys, keywords, hasSearchableList }) => {
  return {
    label,
    address,
    icon,
    isPage: true,
    group: 'Go to',
    ...(keys && { keys }),
    ...(keywords && { keywords }),
    ...(hasSearchableList && { paletteTextParameter: 'search' }), // the palette can open the page with its text as the search
  }
})

/** The links that features register for every screen. */
const links = features
  .flatMap<ActionLink>((feature) => ('actions' in feature ? feature.actions : []))
  .map((link) => ({ ...link, group: link.isPage ? 'Go to' : group }))

function useGlobalActions({ onToggleSidebar, onPrint }: { onToggleSidebar: () => void; onPrint: () => void }): void {
  const { setColorScheme } = useMantineColorScheme()
  const router = useRouter()
  const toAction = (link: Omit<Action, 'run'> & { address: string }): Action => ({
    ...link,
    run: () => void router.navigate({ href: link.address }),
  })
  useActions([
    ...pages.map(toAction),
    ...links.map(toAction),
    { keys: 'mod+k', label: 'Search and commands', group, icon: IconSearch, worksWhileTyping: true, run: () => paletteState.set(true) },
    { keys: 'mod+b', label: 'Fold or unfold the sidebar', group, icon: IconLayoutSidebar, worksWhileTyping: true, run: onToggleSidebar },
    { keys: 'mod+z', label: 'Undo', group, icon: IconArrowBackUp, run: () => void undoChange() },
    { keys: 'mod+shift+z mod+y', label: 'Redo', group, icon: IconArrowForwardUp, run: () => void redoChange() },
    { keys: 'mod+p', label: 'Print', group, icon: IconPrinter, keywords: 'paper pdf', worksWhileTyping: true, run: onPrint },
    { keys: '?', label: 'Keyboard shortcuts', group, icon: IconKeyboard, keywords: 'help keys', run: () => keyboardHelpState.set(true) },
    ...colorSchemes.map(({ value, label, icon }): Action => {
      return { label: `Theme: ${label}`, group, icon, keywords: `switch ${value} mode`, run: () => setColorScheme(value) }
    }),
    { label: 'Sign Out', group, icon: IconLogout, keywords: 'log out logout log off leave quit', run: () => void signOutWithToast() },
  ])
}
