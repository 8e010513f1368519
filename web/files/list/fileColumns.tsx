import { IconDots, IconDownload, IconSparkles, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FileRow } from '#contract/files.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { RowButtons } from '#web/records/list/RowActions.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import type { Column } from '#web/ui/TableRow.tsx'
import { AiLabel } from '../kind/AiLabel.tsx'
import { FileIcon } from '../kind/FileIcon.tsx'
import { FileName } from '../kind/FileName.tsx'
import { getPlaceAddress, usePlace } from '../preview/usePlace.ts'
import classes from './fileColumns.module.css'
import { PassageLine } from './PassageLine.tsx'
import { PathText } from '../kind/PathText.tsx'

/** What the columns of a list of files depend on. */
type ColumnOptions = {
  isPhone: boolean
  /** True when the list shows the folder of each file, because the files are in several folders. */
  isFolderColumnShown: boolean
  /** True when the user cannot sort the list, so that its columns have no buttons to sort. */
  isOrderFixed: boolean
  /** The id of the folder that a search is limited to. */
  searchedFolderId: string | undefined
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
const createPlaceColumn = ({ searchedFolderId }: Pick<ColumnOptions, 'searchedFolderId'>): Column<FileRow> => ({
  name: 'folder_id',
  label: 'Folder',
  cssWidth: 'clamp(120px, 20vw, 300px)',
  cell: (file, isInTabOrder) => <PlaceCell file={file} searchedFolderId={searchedFolderId} isInTabOrder={isInTabOrder} />,
})
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
      { action: 'analyze', icon: IconSparkles, label: `Analyze ${file_name} with AI`, hint: 'Analyze with AI' },
      { action: 'delete', icon: IconTrash, label: `Delete ${file_name}`, hint: 'Delete file (Del)' },
      { action: 'menu', icon: IconDots, label: `More for ${file_name}` },
    ]
    return <RowButtons buttons={buttons} isInTabOrder={isInTabOrder} />
  },
}
/** On phones the second line has the passage that a search found, or else the size and the age. */
const createPhoneNameColumn = ({
  isFolderColumnShown,
  searchedFolderId,
}: Pick<ColumnOptions, 'isFolderColumnShown' | 'searchedFolderId'>): Column<FileRow> => ({
  ...name,
  cell: (file, isInTabOrder) => (
    <NameCell file={file} isInTabOrder={isInTabOrder}>
      <div className={classes['secondLine']}>
        {isFolderColumnShown && <PlaceName file={file} searchedFolderId={searchedFolderId} />}
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

/** Returns the columns of a list of files. */
export function getFileColumns({
  isPhone,
  isFolderColumnShown,
  isOrderFixed,
  searchedFolderId,
}: ColumnOptions): readonly Column<FileRow>[] {
  if (isPhone) return [createPhoneNameColumn({ isFolderColumnShown, searchedFolderId }), actions]
  if (!isFolderColumnShown) return [name, size, added, actions]
  const columns = [name, createPlaceColumn({ searchedFolderId }), size, { ...added, cssWidth: 'clamp(110px, 14vw, 200px)' }, actions]
  return isOrderFixed ? columns.map((column) => ({ ...column, isSortable: false })) : columns
}

type CellProps = { file: FileRow; isInTabOrder: boolean }

function NameCell({ file: { id, file_name, file_type, is_ai_generated }, isInTabOrder, children }: CellProps & { children: ReactNode }) {
  return (
    <div className={classes['nameCell']}>
      <FileIcon fileType={file_type} />
      <div className={classes['names']}>
        <div className={classes['name']}>
          <a href={`/files/file/${id}`} aria-label={file_name} data-row-link draggable={false} tabIndex={isInTabOrder ? 0 : -1}>
            <FileName name={file_name} />
          </a>
          {is_ai_generated && <AiLabel />}
        </div>
        {children}
      </div>
    </div>
  )
}

type PlaceProps = { file: FileRow; searchedFolderId: string | undefined }

/** A link to the folder or the contact of a file. */
function PlaceCell({ file, searchedFolderId, isInTabOrder }: PlaceProps & CellProps) {
  const address = getPlaceAddress(file)
  return (
    <Link className={classes['place']} to={address} draggable={false} tabIndex={isInTabOrder ? 0 : -1}>
      <PlaceText file={file} searchedFolderId={searchedFolderId} />
    </Link>
  )
}

/** The folder or the contact of a file as text: "Site visit · ". */
const PlaceName = (props: PlaceProps) => (
  <>
    <span className={classes['placeName']}>
      <PlaceText {...props} />
    </span>
    {' · '}
  </>
)

const PlaceText = ({ file, searchedFolderId }: PlaceProps) =>
  file.contact_id === null ? (
    <PathText path={file.path ?? []} isCut={file.is_path_cut} searchedFolderId={searchedFolderId} />
  ) : (
    <ContactName file={file} />
  )

function ContactName({ file }: { file: FileRow }) {
  const { title } = usePlace(file)
  return <span title={title}>{title}</span>
}
