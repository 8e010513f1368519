import { IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RecentChange } from '#contract/changes.ts'
import { kindByTable, type KindDisplay } from '#web/lib/features.ts'
import { capitalised } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { actorInWords } from '#web/lib/actors.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { addressOf, deedOf, isAboutOne } from './activity.ts'
import classes from './ActivityTile.module.css'
import { recentChanges } from './queries.ts'
import { Tile } from './Tile.tsx'
import tile from './Tile.module.css'

/** What was done last, by whom, and to what. */
export function ActivityTile() {
  return (
    <Tile title="Recent activity" query={useQuery(recentChanges)} size="lines">
      {({ rows }) =>
        rows.length > 0 ? (
          <ul>
            {rows.map((change) => (
              <Line key={change.change} change={change} />
            ))}
          </ul>
        ) : (
          <p className={tile['nothing']}>What happens in your workspace shows here.</p>
        )
      }
    </Tile>
  )
}

function Line({ change }: { change: RecentChange }) {
  const userId = useSession().user.id
  const title = isAboutOne(change) ? change.title : ''
  const to = title && addressOf(change)
  return (
    <li className={classes['line']}>
      <Picture change={change} name={title} />
      <span className={classes['words']} title={title}>
        {capitalised(actorInWords(change.actor, userId))} {deedOf(change)} {to ? <Link to={to}>{title}</Link> : <b>{title}</b>}
      </span>
      <span className={classes['when']}>
        <RelativeTime at={change.at} />
      </span>
    </li>
  )
}

/** Whom or what it was about: somebody's initials, else what kind of record. */
function Picture({ change, name }: { change: RecentChange; name: string }) {
  const { shape, icon: Icon = IconHistory }: Partial<KindDisplay> = kindByTable(change.table) ?? {}
  if (name && shape) return <Avatar id={change.id ?? change.change} name={name} shape={shape} />
  return (
    <span className={classes['picture']} aria-hidden>
      <Icon size={14} stroke={1.75} />
    </span>
  )
}
