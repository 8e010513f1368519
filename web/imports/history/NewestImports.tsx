import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { newestImportsQuery } from '../queries.ts'
import { ImportSummary } from './ImportSummary.tsx'
import classes from './NewestImports.module.css'

/** The newest imports, beside the result of one of them. */
export function NewestImports({ currentId }: { currentId: string }) {
  const { data } = useQuery(newestImportsQuery)
  return (
    <>
      <h2 className={classes['title']}>Newest imports</h2>
      <ul className={classes['list']}>
        {data?.rows.map((summary) => (
          <li key={summary.id} aria-current={summary.id === currentId || undefined}>
            <ImportSummary summary={summary} />
          </li>
        ))}
      </ul>
      <Link className={`link ${classes['all'] ?? ''}`} to="/crm/imports">
        All imports
      </Link>
    </>
  )
}
