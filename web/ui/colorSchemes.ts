import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

/** The colour schemes that the user can select. `value` is the name that Mantine uses. */
export const colorSchemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'As the system', icon: IconDeviceDesktop },
] as const
