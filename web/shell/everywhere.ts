import { useMantineColorScheme } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconKeyboard, IconLayoutSidebar, IconLogout, IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useActions, type Action, type ActionLink } from '#web/lib/actions.ts'
import type { SidebarEntry } from '#web/lib/routes.ts'
import { redoLast, undoLast } from '#web/lib/undo.ts'
import { colorSchemes } from '#web/ui/colorSchemes.ts'
import { features } from './features.ts'
import { keyboardHelp } from './keyboardHelp.ts'
import { paletteOpen } from './palette/state.ts'
import { signOutAndSaySo } from './signOut.ts'

/** Registers what can be done on every screen: the ways to all of them, what features offer, and what the house itself does. */
export function useActionsEverywhere(onFold: () => void): void {
  const { setColorScheme } = useMantineColorScheme()
  const router = useRouter()
  const follow = (link: Omit<Action, 'run'> & { to: string }): Action => ({ ...link, run: () => void router.navigate({ href: link.to }) })
  useActions([
    ...places.map(follow),
    ...links.map(follow),
    { keys: 'mod+k', label: 'Search and commands', group, icon: IconSearch, whileTyping: true, run: openPalette },
    { keys: 'mod+b', label: 'Fold or unfold the sidebar', group, icon: IconLayoutSidebar, whileTyping: true, run: onFold },
    { keys: 'mod+z', label: 'Undo', group, icon: IconArrowBackUp, run: () => void undoLast() },
    { keys: 'mod+shift+z mod+y', label: 'Redo', group, icon: IconArrowForwardUp, run: () => void redoLast() },
    { keys: '?', label: 'Keyboard shortcuts', group, icon: IconKeyboard, keywords: 'help', run: () => keyboardHelp.set(true) },
    ...colorSchemes.map(({ value, label, icon }): Action => {
      return { label: `Theme: ${label}`, group, icon, keywords: `switch ${value} mode`, run: () => setColorScheme(value) }
    }),
    { label: 'Sign Out', group, icon: IconLogout, keywords: 'log off leave', run: () => void signOutAndSaySo() },
  ])
}

const group = 'Everywhere'
const openPalette = (): void => paletteOpen.set(true)

const places = features
  .flatMap<SidebarEntry>((feature) => ('sidebar' in feature ? [feature.sidebar] : []))
  .map(({ label, to, icon, keys, searchable }) => {
    return { label, to, icon, isPage: true, group: 'Go to', ...(keys && { keys }), ...(searchable && { searchParam: 'search' }) }
  })

const links = features
  .flatMap<ActionLink>((feature) => ('actions' in feature ? feature.actions : []))
  .map((link) => ({ ...link, group: link.isPage ? 'Go to' : group }))
