import { ActionIcon } from '@mantine/core'
import { IconCalendarDown, IconCalendarShare, IconRss } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'

const SubscribeDialog = lazyPart(() => import('./SubscribeDialog.tsx').then((module) => module.SubscribeDialog))

const OtherCalendarsDialog = lazyPart(() => import('./OtherCalendarsDialog.tsx').then((module) => module.OtherCalendarsDialog))

const iconProps = { size: 16, stroke: 1.75 }

/** The menu with the connections between this calendar and others. */
export function CalendarsMenu() {
  const [opened, setOpened] = useState<'subscribe' | 'others'>()
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => setOpened(undefined)
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={220}
        button={
          <ActionIcon ref={button} variant="default" size={32} aria-label="Connect calendars" title="Connect calendars">
            <IconCalendarShare size={18} stroke={1.75} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item leftSection={<IconRss {...iconProps} />} onClick={() => setOpened('subscribe')}>
              Subscribe to bookings
            </Menu.Item>
            <Menu.Item leftSection={<IconCalendarDown {...iconProps} />} onClick={() => setOpened('others')}>
              Other calendars
            </Menu.Item>
          </>
        )}
      </MenuButton>
      {opened === 'others' && <OtherCalendarsDialog onClose={close} onLoadCancelled={close} opener={button} />}
      {opened === 'subscribe' && <SubscribeDialog onClose={close} onLoadCancelled={close} opener={button} />}
    </>
  )
}
