import { IconFolder } from '@tabler/icons-react'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { searchRoutes } from '#contract/search.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import type { FolderChoice } from './FolderTree.tsx'
import classes from './MoveDialog.module.css'

const maxHits = 50

const foundFoldersQuery = (search: string) =>
  queryOptions({
    queryKey: [recordKinds.folder.table, 'found', search],
    meta: { tables: [recordKinds.folder.table] },
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { search, limit: maxHits } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The folders whose name matches a text, to choose one of them. */
export function FolderResults({ search, target, onTarget, movedIds }: FolderChoice & { search: string }) {
  const { data, error, isPending } = useQuery(foundFoldersQuery(search))
  const folders = (data?.hits ?? []).filter(({ kind, id }) => kind === 'folder' && !movedIds.has(id))
  if (isPending) return <output className={classes['note']}>Searching ...</output>
  if (error) return <p className={classes['note']}>{describeError(error)}</p>
  if (folders.length === 0) return <p className={classes['note']}>No folder has “{search}” in its name.</p>
  return (
    <ul className={classes['tree']} aria-label="Folders found">
      {folders.map(({ id, title, detail }) => (
        <li key={id} className={classes['row']} data-chosen={target?.id === id || undefined}>
          <button
            type="button"
            className={classes['name']}
            aria-pressed={target?.id === id}
            title={title}
            onClick={() => onTarget({ id, name: title })}
          >
            <IconFolder size={16} stroke={1.6} aria-hidden />
            <span>{title}</span>
            {detail && <small>in {detail}</small>}
          </button>
        </li>
      ))}
    </ul>
  )
}
