import { IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Hit } from '#contract/search.ts'
import classes from './FolderGrid.module.css'

/** The folders that a search finds, as cards with links. */
export const FoundFolders = ({ folders }: { folders: readonly Hit[] }) => (
  <ul className={classes['grid']} aria-label="Folders found">
    {folders.map(({ id, title, detail }) => (
      <li key={id} className={classes['card']}>
        <span className={classes['icon']}>
          <IconFolder size={20} stroke={1.6} aria-hidden />
        </span>
        <div className={classes['texts']}>
          <Link className={classes['name']} to="/files/folder/$folderId" params={{ folderId: id }} title={title}>
            {title}
          </Link>
          <span className={classes['count']}>in {detail || 'Files'}</span>
        </div>
      </li>
    ))}
  </ul>
)
