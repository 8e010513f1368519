import { Menu, Popover, Tooltip } from '@mantine/core'

/** The components that `floating.ts` loads after the first screen. */
export const floatingParts = { Menu, Popover, Tooltip }
export type Floating = typeof floatingParts
