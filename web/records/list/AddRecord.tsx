import { Button, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ListKind } from './listKind.ts'

/** The way to a new record, the one primary action of a list. */
export function AddRecord<Row extends { id: string }>({ kind: { singular, path, opensOver } }: { kind: ListKind<Row> }) {
  return (
    <Tooltip label={`Add ${singular} (N)`}>
      <Button
        variant="filled"
        component={Link}
        to={`${path}/new`}
        search={opensOver}
        leftSection={<IconPlus size={16} stroke={1.75} />}
        aria-keyshortcuts="n"
      >
        Add {singular}
      </Button>
    </Tooltip>
  )
}
