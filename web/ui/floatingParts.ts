import { Menu, Popover, Tooltip } from '@mantine/core'

export const floatingParts = { Menu, Popover, Tooltip }
export type Floating = typeof floatingParts
