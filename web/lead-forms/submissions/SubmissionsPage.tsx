import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { isNotFound } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useSelection } from '#web/ui/selection.ts'
import tabs from '#web/ui/TabLinks.module.css'
import { getPublicAddress, leadFormQuery } from '../queries.ts'
import { downloadCsv } from './downloadCsv.ts'
import { submissionsQuery } from './queries.ts'
import { SubmissionDetails } from './SubmissionDetails.tsx'
import { SubmissionRow } from './SubmissionRow.tsx'
import { SubmissionSelection } from './SubmissionSelection.tsx'
import classes from './SubmissionsPage.module.css'

const breadcrumb = [
  <Link key="forms" to="/lead-forms">
    Lead Forms
  </Link>,
]

/** The page with the submissions of a form, and those in its spam folder. */
export function SubmissionsPage() {
  const { id = '' } = useParams({ strict: false })
  const { search = '', spam: isSpam = false, open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const form = useQuery(leadFormQuery(id))
  const submissions = useInfiniteQuery(submissionsQuery({ formId: id, search, isSpam }))
  const rows = submissions.data?.pages.flatMap((page) => page.rows)
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  const selection = useSelection(rows ?? [], JSON.stringify([id, search, isSpam]))
  const change = (changes: { search?: string; open?: string | undefined }): void =>
    void navigate({
      to: '/lead-forms/$id/submissions',
      params: { id },
      search: { ...(search !== '' && { search }), ...(isSpam && { spam: true }), ...(open && { open }), ...changes },
      replace: true,
    })
  /**
   * Closes the open submission if it is one of these. Does nothing if the user has left the page or opened another submission meanwhile.
   */
  const closeIfOpen = (ids: readonly string[]): void => {
    const { pathname, search: parameters } = router.state.location
    if (pathname !== `/lead-forms/${id}/submissions` || !ids.includes(parameters.open ?? '')) return
    void navigate({ to: '.', search: (current) => ({ ...current, open: undefined }), replace: true })
  }
  const error = form.error ?? submissions.error
  if (isNotFound(error)) return <MissingForm />
  const { submission_count: count, spam_count: spamCount } = form.data ?? {}
  return (
    <>
      <PageBar
        title={form.data?.title ?? 'Submissions'}
        breadcrumb={breadcrumb}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} />}
            disabled={!rows || rows.length === 0}
            onClick={() => void downloadCsv(id, isSpam)}
          >
            Export CSV
          </Button>
        }
      />
      <nav className={tabs['tabs']} aria-label="Submissions">
        <Link
          to="/lead-forms/$id/submissions"
          params={{ id }}
          className={tabs['tab']}
          activeOptions={{ exact: true }}
          aria-current={isSpam ? undefined : 'page'}
        >
          Submissions {count !== undefined && <span className={classes['count']}>{count}</span>}
        </Link>
        <Link
          to="/lead-forms/$id/submissions"
          params={{ id }}
          search={{ spam: true }}
          className={tabs['tab']}
          aria-current={isSpam ? 'page' : undefined}
        >
          Spam {spamCount !== undefined && <span className={classes['count']}>{spamCount}</span>}
        </Link>
      </nav>
      <div className={classes['tools']}>
        {rows && rows.length > 0 && (
          <Checkbox
            label="Select all"
            checked={selection.isEveryLoadedRowSelected}
            indeterminate={selection.ids.size > 0 && !selection.isEveryLoadedRowSelected}
            onToggle={selection.toggleAll}
          />
        )}
        <SearchField label="Search submissions" value={search} onSearch={(text) => change({ search: text })} />
      </div>
      <div className={classes['body']}>
        {submissions.isPending && <ListSkeleton rows={6} height={64} columns={[200]} />}
        {submissions.isError && !rows && (
          <FailedState
            title="The submissions could not be loaded"
            reason={describeError(submissions.error)}
            onRetry={() => void submissions.refetch()}
            isRetrying={submissions.isFetching}
          />
        )}
        {open !== undefined && rows && !rows.some((row) => row.id === open) && (
          <SubmissionDetails id={open} onGone={() => closeIfOpen([open])} />
        )}
        {rows?.length === 0 && <NoSubmissions isSpam={isSpam} search={search} address={form.data && getPublicAddress(form.data)} />}
        {rows && rows.length > 0 && (
          <ul ref={list}>
            {rows.map((row, index) => (
              <SubmissionRow
                key={row.id}
                row={row}
                isSelected={selection.ids.has(row.id)}
                onSelect={({ isShiftHeld }) => (isShiftHeld ? selection.toggleRange(index) : selection.toggle(index))}
                isOpen={row.id === open}
                onToggle={(isOpen) => change({ open: isOpen ? row.id : undefined })}
                onGone={() => closeIfOpen([row.id])}
              />
            ))}
          </ul>
        )}
        {submissions.hasNextPage && (
          <Button
            variant="default"
            className={classes['more']}
            loading={submissions.isFetchingNextPage}
            onClick={() => void submissions.fetchNextPage()}
          >
            Show more
          </Button>
        )}
        {selection.ids.size > 0 && <SubmissionSelection selection={selection} isSpam={isSpam} onGone={closeIfOpen} />}
      </div>
    </>
  )
}

function NoSubmissions({ isSpam, search, address }: { isSpam: boolean; search: string; address: string | undefined }) {
  if (search !== '')
    return (
      <EmptyState title="Nothing found" hideIllustration>
        No submission has “{search}” in its name, email or answers.
      </EmptyState>
    )
  if (isSpam)
    return (
      <EmptyState title="No spam">
        Submissions that look as if a program sent them come here. They add no contacts until you mark them as not spam.
      </EmptyState>
    )
  return (
    <EmptyState
      title="No submissions yet"
      actions={
        address && (
          <Button component="a" href={address} target="_blank" rel="noreferrer">
            Open the form
          </Button>
        )
      }
    >
      Share the link of the form, or show it on your website. Each submission adds a contact or fills in what a contact lacks.
    </EmptyState>
  )
}

const MissingForm = () => (
  <>
    <PageBar title="Submissions" breadcrumb={breadcrumb} />
    <EmptyState
      title="This form is no longer here"
      actions={
        <Button component={Link} to="/lead-forms">
          Back to Lead Forms
        </Button>
      }
    >
      It may be in the trash.
    </EmptyState>
  </>
)
