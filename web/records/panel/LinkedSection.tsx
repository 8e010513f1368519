import { ActionIcon } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { KindName } from '#contract/kinds.ts'
import { call } from '#web/lib/client.ts'
import { capitalise } from '#web/lib/format.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { ShortRecordList } from './ShortRecordList.tsx'
import { PanelSection } from './SidePanel.tsx'

const maxRows = 5

type LinkedSectionProps<Row extends { id: string }> = {
  /** The kind of the linked records. */
  kind: { singular: string; plural: string; table: string; path: string; routes: Pick<ListRoutes<Row>, 'list'> }
  /** The kind and the id of the record in the panel. All records of this section are linked to this record. */
  parentKind: KindName
  parentId: string
  sort: string
  order?: 'asc' | 'desc'
  /** Further URL parameters of the link to the list of all linked records. */
  listParameters?: Record<string, unknown>
  children: (row: Row) => ReactNode
}

/** A section of a panel with the first few linked records of another kind. */
export function LinkedSection<Row extends { id: string }>(props: LinkedSectionProps<Row>) {
  const { kind, parentKind, parentId, sort, order = 'asc', listParameters, children } = props
  const { singular, plural, table, path, routes } = kind
  const linkField = `${parentKind}_id`
  const filter = [{ field: linkField, is: [parentId] }]
  const result = useQuery({
    queryKey: recordKeys(table).linkedTo(linkField, parentId),
    meta: { tables: [table] }, // a change in this table refetches the query
    queryFn: ({ signal }) => call(routes.list, { query: { filter: JSON.stringify(filter), sort, order, limit: maxRows } }, { signal }),
  })
  const addLabel = `Add ${singular}`
  return (
    <PanelSection
      title={capitalise(plural)}
      action={
        <ActionIcon
          renderRoot={(buttonProps) => <Link to={`${path}/new`} search={{ [parentKind]: parentId }} {...buttonProps} />}
          size={26}
          aria-label={addLabel}
          title={addLabel}
        >
          <IconPlus size={16} stroke={1.75} />
        </ActionIcon>
      }
    >
      <ShortRecordList
        plural={plural}
        result={result}
        linkToAll={
          <Link className="link" to={path} search={{ filter, ...listParameters }}>
            All {plural} of this {parentKind}
          </Link>
        }
      >
        {children}
      </ShortRecordList>
    </PanelSection>
  )
}
