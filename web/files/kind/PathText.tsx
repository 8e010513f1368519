import type { FolderPath } from '#contract/folders.ts'
import classes from './PathText.module.css'

type PathTextProps = {
  /** The folders from the root folder to the one that contains the entry. */
  path: FolderPath
  /** True when the path is so long that the server has left out its first folders. */
  isCut: boolean | undefined
  /** The id of the folder that a search is limited to. The text begins below it. */
  searchedFolderId: string | undefined
  /** A text before the path: "in ". */
  prefix?: string
}

/**
 * Where an entry is: "Projects / Quillstone Dental". When there is too little space, the beginning is shortened, and the last folder stays.
 */
export function PathText({ path, isCut = false, searchedFolderId, prefix = '' }: PathTextProps) {
  // without a search in a folder `findIndex` returns -1, so that the text has all folders
  const names = path.slice(path.findIndex(({ id }) => id === searchedFolderId) + 1).map(({ name }) => name)
  const last = names.at(-1) ?? (searchedFolderId === undefined ? 'Files' : 'this folder')
  const above = names.slice(0, -1)
  const fullPath = ['Files', ...(isCut ? ['…'] : []), ...path.map(({ name }) => name)].join(' / ')
  return (
    <span className={classes['path']} title={fullPath}>
      {prefix && <span className={classes['fixed']}>{prefix}</span>}
      {above.length > 0 && (
        <>
          <span className={classes['above']}>{above.join(' / ')}</span>
          <span className={classes['fixed']}>{' / '}</span>
        </>
      )}
      <span className={classes['last']}>{last}</span>
    </span>
  )
}
