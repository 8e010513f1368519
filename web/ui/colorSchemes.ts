import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** How light the room can be, in Mantine's names. */
export const colorSchemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const
