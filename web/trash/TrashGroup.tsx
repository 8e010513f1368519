import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { count, countOf } from '#web/lib/format.ts'
import { undoLast } from '#web/lib/undo.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { kindOf, type Group } from './entries.ts'
import classes from './TrashPage.module.css'

/** The head of what was deleted together: all of it comes back at once. */
export function TrashGroup({ group: { change, entries, goesOn } }: { group: Group }) {
  const [first] = entries
  const noun = kindOf(first.table).toLowerCase()
  const restore = useMutation({
    mutationFn: () => undoLast(change, `${countOf(entries.length, noun)}${goesOn ? ' and more' : ''} deleted`),
  })
  return (
    <li className={classes['row']} data-head>
      <p className={classes['what']}>
        {goesOn ? 'More than ' : ''}
        {countOf(entries.length, noun)} deleted together <RelativeTime at={first.deleted_at} />
      </p>
      <Button variant="default" size="compact-sm" onClick={() => restore.mutate()} loading={restore.isPending}>
        Restore all {goesOn ? 'of them' : count(entries.length)}
      </Button>
    </li>
  )
}
