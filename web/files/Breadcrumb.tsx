import { IconHome } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The links of the breadcrumb above a folder: the root folder and the folders above this one, outermost first. */
export const getBreadcrumb = (folders: readonly { id: string; name: string }[]): ReactNode[] => [
  <Link key="root" to="/files" aria-label="Files" title="Files" style={{ display: 'grid' }}>
    <IconHome size={18} stroke={1.6} />
  </Link>,
  ...folders.map(({ id, name }) => (
    <Link key={id} to="/files/folder/$folderId" params={{ folderId: id }} title={name}>
      {name}
    </Link>
  )),
]
