import { IconFolder } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Folder } from '#contract/folders.ts'
import classes from './FolderGrid.module.css'

/** The folders in a folder, as cards. */
export function FolderGrid({ folders }: { folders: readonly Folder[] }) {
  if (folders.length === 0) return null
  return (
    <ul className={classes['grid']} aria-label="Folders">
      {folders.map(({ id, name }) => (
        <li key={id} className={classes['card']}>
          <IconFolder size={20} stroke={1.6} aria-hidden />
          <Link className={classes['name']} to="/files/folder/$folderId" params={{ folderId: id }} title={name}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
