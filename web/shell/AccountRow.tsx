import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import classes from './Sidebar.module.css'

/** Who is signed in, at the foot of the sidebar. */
export function AccountRow({ rail = false, onFollow }: { rail?: boolean; onFollow?: () => void }) {
  const { profile } = useSession()
  const avatar = <Avatar id={profile.id} name={profile.full_name} />
  if (rail)
    return (
      <div className={classes['me']}>
        <AccountMenu>
          <ActionIcon size={32} radius={999} aria-label="Account menu">
            {avatar}
          </ActionIcon>
        </AccountMenu>
      </div>
    )
  return (
    <div className={classes['me']}>
      <Link to="/account" className={classes['person']} title={profile.full_name} onClick={onFollow}>
        {avatar}
        <span className={classes['name']}>{profile.full_name}</span>
      </Link>
      <AccountMenu onFollow={onFollow}>
        <ActionIcon size={26} aria-label="Account menu">
          <IconDots size={16} stroke={1.75} />
        </ActionIcon>
      </AccountMenu>
    </div>
  )
}
