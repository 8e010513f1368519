import { IconFolder } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { describeError } from '#web/lib/toasts.ts'
import { foundFoldersQuery } from '../kind/queries.ts'
import type { FolderChoice } from './FolderTree.tsx'
import classes from './FolderDialog.module.css'

/** The folders whose name matches a text, to choose one of them. */
export function FolderResults({ search, target, onTarget, movedIds }: FolderChoice & { search: string }) {
  const { data, error, isPending } = useQuery(foundFoldersQuery(search))
  const folders = (data ?? []).filter(({ id }) => !movedIds.has(id))
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
