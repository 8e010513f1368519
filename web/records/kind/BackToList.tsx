import { Link } from '@tanstack/react-router'
import { capitalised } from '#web/lib/format.ts'

/** The pages of a kind of record, where a record has a page and not a panel over its list. */
export type RecordPages<Row> = {
  plural: string
  /** The address of the list: "/crm/contacts". A record opens at `path/ID`. */
  path: string
  editPath: (id: string) => string
  titleOf: (record: Row) => string
}

/** The first step of a breadcrumb. */
export const BackToList = ({ pages: { path, plural } }: { pages: Pick<RecordPages<unknown>, 'path' | 'plural'> }) => (
  <Link to={path} aria-label={`Back to ${capitalised(plural)}`}>
    {capitalised(plural)}
  </Link>
)
