import '#web/ui/dialogs.css'
import { ActionIcon, Drawer } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { AccountRow } from './AccountMenu.tsx'
import { Brand, SearchButton } from './Sidebar.tsx'
import { SidebarLinks } from './SidebarLinks.tsx'
import classes from './Sidebar.module.css'

/** The navigation on phones: a drawer that closes when a link, the search or "Keyboard shortcuts" is clicked. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  return (
    <Drawer.Root opened onClose={onClose} position="left" size="var(--f-side-phone)">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Navigation">
        <div className={classes['sidebar']} data-drawer>
          <div className={classes['head']}>
            <Brand />
            <ActionIcon size={44} aria-label="Close navigation" onClick={onClose}>
              <IconX size={20} stroke={1.6} />
            </ActionIcon>
          </div>
          <SearchButton onOpen={onClose} />
          <SidebarLinks onNavigate={onClose} />
          <AccountRow onNavigate={onClose} />
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
