import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatFileSize } from '#web/lib/format.ts'
import { storageQuery } from './kind/queries.ts'
import tabs from '#web/ui/TabLinks.module.css'
import classes from './FilesTabs.module.css'

/** Links to all files, the newest files and the trash, with the used part of the quota. */
export const FilesTabs = () => (
  <nav className={tabs['tabs']} aria-label="Files">
    <Link to="/files" activeOptions={{ exact: true, includeSearch: false }} className={tabs['tab']}>
      All files
    </Link>
    <Link to="/files/recent" className={tabs['tab']}>
      Recent
    </Link>
    <StorageUse />
    <Link to="/trash" className={tabs['tab']}>
      Trash
    </Link>
  </nav>
)

/** How much of the quota is used: a bar and "1.2 MB of 10.0 GB used". The space for both is empty until the numbers are loaded. */
function StorageUse() {
  const { data: use } = useQuery(storageQuery)
  if (!use) return <span className={classes['storage']} />
  const { used_bytes: used, quota_bytes: quota } = use
  const usedPercent = Math.min((used / quota) * 100, 100)
  return (
    <span className={classes['storage']} data-full={usedPercent > 90 || undefined}>
      <span className={classes['bar']} aria-hidden>
        <span style={{ width: `${usedPercent}%` }} />
      </span>
      {formatFileSize(used)} of {formatFileSize(quota)} used
    </span>
  )
}
