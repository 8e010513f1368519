import { IconDots, IconDownload, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FileRow } from '#contract/files.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { RowButtons } from '#web/records/list/RowActions.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import type { Column } from '#web/ui/TableRow.tsx'
import { FileIcon } from '../kind/FileIcon.tsx'
import { FileName } from '../kind/FileName.tsx'
import { usePlace } from '../preview/usePlace.ts'
import classes from './fileColumns.module.css'
import { PassageLine } from './PassageLine.tsx'

/** The parts of a list of files that its columns depend on. */
type ListParts = {
  isPhone: boolean
  /** The files are in several folders. */
  hasPlaces: boolean
}

const name: Column<FileRow> = {
  name: 'file_name',
  label: 'Name',
  isSortable: true,
  cell: (file, isInTabOrder) => (
    <NameCell file={file} isInTabOrder={isInTabOrder}>
      {file.passage && <PassageLine passage={file.passage} />}
    </NameCell>
  ),
}
const place: Column<FileRow> = {
  name: 'folder_id',
  label: 'Folder',
  cssWidth: 'clamp(120px, 15vw, 200px)',
  cell: (file, isInTabOrder) => <PlaceCell file={file} isInTabOrder={isInTabOrder} />,
}
const size: Column<FileRow> = {
  name: 'file_size',
  label: 'Size',
  isSortable: true,
  align: 'right',
  cssWidth: '100px',
  cell: ({ file_size }) => formatFileSize(file_size),
}
const added: Column<FileRow> = {
  name: 'created_at',
  label: 'Added',
  cssWidth: 'clamp(150px, 20vw, 260px)',
  cell: ({ created_at }) => <RelativeTime at={created_at} />,
}
const actions: Column<FileRow> = {
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
/** On phones the second line has the passage that a search found, or else the size and the age. */
const createPhoneName = ({ hasPlaces }: Pick<ListParts, 'hasPlaces'>): Column<FileRow> => ({
  ...name,
  cell: (file, isInTabOrder) => (
    <NameCell file={file} isInTabOrder={isInTabOrder}>
      <div className={classes['secondLine']}>
        {hasPlaces && <PlaceName file={file} />}
        {file.passage ? (
          <PassageLine passage={file.passage} isShort />
        ) : (
          <>
            {formatFileSize(file.file_size)}, <RelativeTime at={file.created_at} />
          </>
        )}
      </div>
    </NameCell>
  ),
})

const columns = [name, size, added, actions]
const columnsWithPlace = [name, place, size, { ...added, cssWidth: 'clamp(120px, 16vw, 200px)' }, actions]
const phoneColumns = [createPhoneName({ hasPlaces: false }), actions]
const phoneColumnsWithPlace = [createPhoneName({ hasPlaces: true }), actions]

/** Returns the columns of a list of files. */
export function getFileColumns({ isPhone, hasPlaces }: ListParts): readonly Column<FileRow>[] {
  if (isPhone) return hasPlaces ? phoneColumnsWithPlace : phoneColumns
  return hasPlaces ? columnsWithPlace : columns
}

type CellProps = { file: FileRow; isInTabOrder: boolean }

function NameCell({ file: { id, file_name, file_type }, isInTabOrder, children }: CellProps & { children: ReactNode }) {
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

/** A link to the folder or the contact of a file. */
function PlaceCell({ file, isInTabOrder }: CellProps) {
  const { title, address } = usePlace(file)
  return (
    <Link className={classes['place']} to={address} title={title} draggable={false} tabIndex={isInTabOrder ? 0 : -1}>
      {title}
    </Link>
  )
}

/** The folder or the contact of a file as text: "Site visit · ". */
function PlaceName({ file }: { file: FileRow }) {
  const { title } = usePlace(file)
  return <span className={classes['placeName']}>{title && `${title} · `}</span>
}
