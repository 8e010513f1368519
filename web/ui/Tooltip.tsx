import type { TooltipProps } from '@mantine/core'
import { cloneElement, useId, type ReactElement, type Ref } from 'react'
import { targetAttribute, useFloating } from './floating.ts'

type LoadingTooltipProps = Pick<TooltipProps, 'label' | 'position' | 'disabled' | 'className'> & {
  children: ReactElement<Record<string, unknown>>
  ref?: Ref<HTMLDivElement> // Mantine's type for the ref of a tooltip, although the element may be a button
}

/**
 * Mantine's tooltip, which does nothing until its code has been loaded. Other properties, such as those of a menu around the tooltip, are
 * passed to the child; Mantine would set them on the tooltip.
 */
export function Tooltip({ children, label, position, disabled, className, ref, ...targetProps }: LoadingTooltipProps) {
  const id = useId()
  const parts = useFloating()
  const target = cloneElement(children, { [targetAttribute]: id, ...targetProps })
  if (!parts) return target
  return (
    <parts.Tooltip label={label} position={position} disabled={disabled} className={className} ref={ref}>
      {target}
    </parts.Tooltip>
  )
}
