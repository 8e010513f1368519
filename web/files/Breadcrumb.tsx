import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconFolder, IconHome } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './Breadcrumb.module.css'

type PathFolder = { id: string; name: string }

/** If a path has more folders than this, only the last two are shown and the others are in a menu. */
const maxFolders = 3

/**
 * The parts of the breadcrumb above a folder: the root folder and the folders above this one, outermost first. If the path is long, a menu
 * contains the folders in its middle; on phones the menu contains all but the root folder. Folders and files can be dropped on the links.
 */
export function getBreadcrumb(folders: readonly PathFolder[], { isPhone }: { isPhone: boolean }): ReactNode[] {
  const maxShown = folders.length > maxFolders ? 2 : maxFolders
  const shownCount = isPhone ? 0 : Math.min(folders.length, maxShown)
  const hidden = folders.slice(0, folders.length - shownCount)
  return [
    <Link key="root" className={classes['home']} to="/files" aria-label="Files" title="Files" draggable={false} data-drop-folder="">
      <IconHome size={18} stroke={1.6} aria-hidden />
    </Link>,
    ...(hidden.length > 0 ? [<HiddenFolders key="hidden" folders={hidden} />] : []),
    ...folders.slice(hidden.length).map(({ id, name }) => (
      <Link
        key={id}
        className={classes['folder']}
        to="/files/folder/$folderId"
        params={{ folderId: id }}
        title={name}
        draggable={false}
        data-drop-folder={id}
        data-drop-name={name}
      >
        {name}
      </Link>
    )),
  ]
}

const HiddenFolders = ({ folders }: { folders: readonly PathFolder[] }) => (
  <Menu position="bottom-start">
    <Menu.Target>
      <ActionIcon size={28} aria-label="Folders above" title="Folders above">
        <IconDots size={16} stroke={1.75} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown maw={320}>
      {folders.map(({ id, name }) => (
        <Menu.Item
          key={id}
          leftSection={<IconFolder size={16} stroke={1.6} aria-hidden />}
          renderRoot={(props) => <Link to="/files/folder/$folderId" params={{ folderId: id }} {...props} />}
        >
          {name}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
