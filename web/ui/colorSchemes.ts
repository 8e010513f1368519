import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** The colour schemes to choose from; `value` is Mantine's name. */
export const colorSchemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const
