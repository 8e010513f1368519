import { IconDots, IconDownload, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { File } from '#contract/files.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { RowButtons } from '#web/records/list/RowActions.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import type { Column } from '#web/ui/TableRow.tsx'
import { FileIcon } from '../kind/FileIcon.tsx'
import { FileName } from '../kind/FileName.tsx'
import classes from './fileColumns.module.css'

const name: Column<File> = {
  name: 'file_name',
  label: 'Name',
  isSortable: true,
  cell: (file, isInTabOrder) => <NameCell file={file} isInTabOrder={isInTabOrder} />,
}
const size: Column<File> = {
  name: 'file_size',
  label: 'Size',
  isSortable: true,
  align: 'right',
  cssWidth: '100px',
  cell: ({ file_size }) => formatFileSize(file_size),
}
const added: Column<File> = {
  name: 'created_at',
  label: 'Added',
  cssWidth: '260px',
  cell: ({ created_at }) => <RelativeTime at={created_at} />,
}

const actions: Column<File> = {
  name: 'actions',
  label: 'Actions',
  isLabelHidden: true,
  cell: ({ file_name }, isInTabOrder) => {
    const buttons = [
      { action: 'download', icon: IconDownload, label: `Download ${file_name}`, hint: 'Download file' },
      { action: 'delete', icon: IconTrash, label: `Delete ${file_name}`, hint: 'Delete file (Del)' },
      { action: 'menu', icon: IconDots, label: `More for ${file_name}` },
    ]
    return <RowButtons buttons={buttons} isInTabOrder={isInTabOrder} />
  },
}

/** The columns of the list of files. */
export const fileColumns: readonly Column<File>[] = [name, size, added, actions]

/** The columns on phones. Its second line has the size and the age. */
export const phoneColumns: readonly Column<File>[] = [
  {
    ...name,
    cell: (file, isInTabOrder) => (
      <NameCell file={file} isInTabOrder={isInTabOrder}>
        <div className={classes['secondLine']}>
          {formatFileSize(file.file_size)}, <RelativeTime at={file.created_at} />
        </div>
      </NameCell>
    ),
  },
  actions,
]

type NameCellProps = { file: File; isInTabOrder: boolean; children?: ReactNode }

function NameCell({ file: { id, file_name, file_type }, isInTabOrder, children }: NameCellProps) {
  return (
    <div className={classes['nameCell']}>
      <FileIcon fileType={file_type} />
      <div className={classes['names']}>
        <a href={`/files/file/${id}`} aria-label={file_name} data-row-link draggable={false} tabIndex={isInTabOrder ? 0 : -1}>
          <FileName name={file_name} />
        </a>
        {children}
      </div>
    </div>
  )
}
