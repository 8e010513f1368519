import { IconCloudOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useStore } from '#web/lib/store.ts'
import { isOffline, watchConnection } from './connection.ts'
import classes from './ConnectionPill.module.css'

/** Says that the browser is offline or that the server cannot be reached. Shows nothing otherwise. */
export function ConnectionPill() {
  const isShown = useStore(isOffline)
  useEffect(watchConnection, [])
  return (
    <output className={classes['place']}>
      {isShown && (
        <span className={classes['pill']}>
          <IconCloudOff size={16} stroke={1.75} aria-hidden />
          Offline. Changes cannot be saved.
        </span>
      )}
    </output>
  )
}
