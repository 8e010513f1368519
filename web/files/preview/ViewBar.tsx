import { ActionIcon, Tooltip } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useActions } from '#web/lib/actions.ts'
import type { Icon } from '#web/lib/features.ts'
import classes from './Preview.module.css'
import { zoomIn, zoomOut } from './zoom.ts'

/** The bar above the content of a file. */
export const ViewBar = ({ children }: { children: ReactNode }) => (
  <div className={classes['viewBar']} role="toolbar" aria-label="View">
    {children}
  </div>
)

/** Moves the following buttons of the bar to its end. */
export const ViewBarSpace = () => <span className={classes['space']} />

type ViewButtonProps = { label: string; keys?: string; icon: Icon; disabled?: boolean; isPressed?: boolean; onClick: () => void }

/** A button of the bar. `keys` is shown in the tooltip. */
export function ViewButton({ label, keys, icon: Picture, disabled = false, isPressed, onClick }: ViewButtonProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label}>
      <ActionIcon
        className={classes['viewButton'] ?? ''}
        size={28}
        aria-label={label}
        aria-pressed={isPressed}
        disabled={disabled}
        onClick={onClick}
      >
        <Picture size={16} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}

type ZoomButtonsProps = {
  /** 1 is the original size. */
  zoom: number
  /** The label of the button that fits the content into the window: "Fit the width". */
  fitLabel: string
  fitIcon: Icon
  /** True while the content is fitted into the window, because the user has not selected a zoom. */
  isFitting: boolean
  onZoom: (zoom: number) => void
  onFit: () => void
}

/** The buttons and shortcuts for the zoom. */
export function ZoomButtons({ zoom, fitLabel, fitIcon, isFitting, onZoom, onFit }: ZoomButtonsProps) {
  const enlarge = () => onZoom(zoomIn(zoom))
  const reduce = () => onZoom(zoomOut(zoom))
  useActions([
    { keys: '+ =', label: 'Larger', run: enlarge },
    { keys: '-', label: 'Smaller', run: reduce },
    { keys: '0', label: fitLabel, run: onFit },
  ])
  return (
    <>
      <ViewButton label="Smaller" keys="-" icon={IconMinus} disabled={zoomOut(zoom) === zoom} onClick={reduce} />
      <output className={classes['percent']} aria-label="Zoom">
        {Math.round(zoom * 100)}%
      </output>
      <ViewButton label="Larger" keys="+" icon={IconPlus} disabled={zoomIn(zoom) === zoom} onClick={enlarge} />
      <ViewButton label={fitLabel} keys="0" icon={fitIcon} isPressed={isFitting} onClick={onFit} />
    </>
  )
}
