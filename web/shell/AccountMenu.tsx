import type { ReactNode } from 'react'
import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconKeyboard, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSession } from '#web/lib/session.ts'
import { Shortcut } from '#web/ui/Shortcut.tsx'
import { colorSchemes } from '#web/ui/colorSchemes.ts'
import { keyboardHelp } from './keyboardHelp.ts'

/** The menu of the person: account, keyboard help, and how light the room is. */
export function AccountMenu({ children, onFollow }: { children: ReactNode; onFollow?: (() => void) | undefined }) {
  const { user } = useSession()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} stroke={1.75} />} onClick={onFollow}>
          Account
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} stroke={1.75} />}
          rightSection={<Shortcut keys={['?']} />}
          onClick={() => keyboardHelp.set(true)}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
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
      </Menu.Dropdown>
    </Menu>
  )
}
