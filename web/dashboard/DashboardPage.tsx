import { useQuery } from '@tanstack/react-query'
import { useSession } from '#web/lib/session.ts'
import { sentenceOf } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { ContactsTile } from './ContactsTile.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { contactTotal } from './queries.ts'
import classes from './DashboardPage.module.css'

/** Greets, and shows what there is; in an empty workspace, how to begin. */
export function DashboardPage() {
  const { full_name } = useSession().profile
  const greeting = `Welcome, ${full_name.trim().split(/\s+/)[0]}`
  const total = useQuery(contactTotal)
  return (
    <>
      <PageBar title="Dashboard" />
      <div className={classes['body']}>
        {total.data?.count === 0 && <FirstSteps greeting={greeting} />}
        {total.data?.count !== 0 && (
          <>
            <h2 className={classes['greeting']}>{greeting}</h2>
            {total.isError && (
              <FailedState
                title="The dashboard could not be loaded"
                reason={sentenceOf(total.error)}
                onRetry={() => void total.refetch()}
                retrying={total.isFetching}
              />
            )}
            {total.data && <ContactsTile total={total.data} />}
          </>
        )}
      </div>
    </>
  )
}
