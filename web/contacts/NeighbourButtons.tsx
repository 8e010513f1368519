import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useActions } from '#web/lib/actions.ts'
import classes from './ContactPage.module.css'
import type { useNeighbours } from './neighbours.ts'

type NeighbourButtonsProps = ReturnType<typeof useNeighbours> & { tab: string | undefined }

/** Leads to the contacts beside this one in the list it was opened from; Back still leads to the list. */
export function NeighbourButtons({ previous, next, place, tab }: NeighbourButtonsProps) {
  const navigate = useNavigate()
  const go = (id: string | undefined): void => {
    if (id) void navigate({ to: '/crm/contacts/$id', params: { id }, search: tab ? { tab } : {}, replace: true })
  }
  useActions(
    place === undefined
      ? []
      : [
          { keys: 'k', label: 'Previous contact', icon: IconArrowUp, run: () => go(previous) },
          { keys: 'j', label: 'Next contact', icon: IconArrowDown, run: () => go(next) },
        ],
  )
  if (place === undefined) return null
  return (
    <div className={classes['neighbours']}>
      <span className={classes['place']}>{place}</span>
      <Tooltip label="Previous contact (K)">
        <ActionIcon aria-label="Previous contact" disabled={!previous} onClick={() => go(previous)}>
          <IconArrowUp size={18} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Next contact (J)">
        <ActionIcon aria-label="Next contact" disabled={!next} onClick={() => go(next)}>
          <IconArrowDown size={18} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
