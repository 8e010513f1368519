import type { ReactElement } from 'react'
import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDots, IconKeyboard, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { colorSchemes } from '#web/ui/colorSchemes.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { keyboardHelpState } from './overlays.ts'
import classes from './Sidebar.module.css'

/**
 * The row of the signed-in user at the bottom of the sidebar, with the account menu. `onNavigate` is called when a link or "Keyboard
 * shortcuts" is clicked.
 */
export function AccountRow({ isCollapsed = false, onNavigate }: { isCollapsed?: boolean; onNavigate?: () => void }) {
  const { profile } = useSession()
  const avatar = <Avatar id={profile.id} name={profile.full_name} />
  if (isCollapsed)
    return (
      <div className={classes['account']}>
        <AccountMenu
          button={
            <ActionIcon size={32} radius={999} aria-label="Account menu">
              {avatar}
            </ActionIcon>
          }
        />
      </div>
    )
  return (
    <div className={classes['account']}>
      <Link to="/account" className={classes['person']} title={profile.full_name} onClick={onNavigate}>
        {avatar}
        <span className={classes['name']}>{profile.full_name}</span>
      </Link>
      <AccountMenu
        onNavigate={onNavigate}
        button={
          <ActionIcon size={26} aria-label="Account menu">
            <IconDots size={16} stroke={1.75} />
          </ActionIcon>
        }
      />
    </div>
  )
}

/** The account menu. `MenuButton` passes Mantine's `Menu` to its content, because the code of menus is loaded later. */
function AccountMenu({ button, onNavigate }: { button: ReactElement<Record<string, unknown>>; onNavigate?: (() => void) | undefined }) {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const openShortcuts = (): void => {
    onNavigate?.()
    keyboardHelpState.set(true)
  }
  return (
    <MenuButton position="top-start" width={240} button={button}>
      {(Menu) => (
        <>
          <Menu.Label>{user.email}</Menu.Label>
          <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} stroke={1.75} />} onClick={onNavigate}>
            Account
          </Menu.Item>
          <Menu.Item
            leftSection={<IconKeyboard size={16} stroke={1.75} />}
            rightSection={<Shortcut keys={['?']} />}
            onClick={openShortcuts}
          >
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Theme</Menu.Label>
          <Menu.RadioGroup
            value={colorScheme}
            // `value` is a string; the search in `colorSchemes` returns one of the values that Mantine knows
            onChange={(value) => setColorScheme(colorSchemes.find((each) => each.value === value)?.value ?? 'auto')}
          >
            {colorSchemes.map(({ value, label, icon: Icon }) => (
              <Menu.RadioItem
                key={value}
                value={value}
                rightSection={<Icon size={16} stroke={1.75} />}
                checkIcon={<IconCheck size={16} stroke={1.75} />}
              >
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </>
      )}
    </MenuButton>
  )
}
