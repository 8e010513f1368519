import { useState } from 'react'
import { Tooltip } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import classes from './Sidebar.module.css'
import { signOutAndSaySo } from './signOut.ts'

export function SignOutButton({ rail }: { rail: boolean }) {
  const [busy, setBusy] = useState(false)
  const leave = async (): Promise<void> => {
    setBusy(true)
    if (!(await signOutAndSaySo())) setBusy(false)
  }
  return (
    <Tooltip label="Sign Out" position="right" disabled={!rail}>
      <button type="button" className={classes['link']} onClick={() => void leave()} disabled={busy}>
        <IconLogout size={16} stroke={1.75} />
        <span className={classes['label']}>Sign Out</span>
      </button>
    </Tooltip>
  )
}
