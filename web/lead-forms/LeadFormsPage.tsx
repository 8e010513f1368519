import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useActions } from '#web/lib/actions.ts'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { describeError } from '#web/lib/toasts.ts'
import { useFocusAfterRemoval } from '#web/ui/domHooks.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { PageBar } from '#web/ui/PageBar.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { FormCard } from './FormCard.tsx'
import { leadFormsQuery } from './queries.ts'
import classes from './LeadFormsPage.module.css'

const NewFormDialog = lazyPart(() => import('./NewFormDialog.tsx').then((module) => module.NewFormDialog))

/** The page with all forms as cards. */
export function LeadFormsPage() {
  const navigate = useNavigate()
  const forms = useQuery(leadFormsQuery)
  const rows = forms.data?.rows
  const list = useRef<HTMLUListElement>(null)
  useFocusAfterRemoval(list)
  useActions([{ label: 'New form', keys: 'n', run: () => void navigate({ to: '/lead-forms/new' }) }])
  return (
    <>
      <PageBar title="Lead Forms" count={rows ? String(rows.length) : null} actions={<CreateButton />} />
      <div className={classes['body']}>
        {forms.isPending && <ListSkeleton rows={3} height={120} columns={[]} />}
        {forms.isError && !rows && (
          <FailedState
            title="The forms could not be loaded"
            reason={describeError(forms.error)}
            onRetry={() => void forms.refetch()}
            isRetrying={forms.isFetching}
          />
        )}
        {rows?.length === 0 && (
          <EmptyState title="No forms yet." actions={<CreateButton />}>
            Create your first form to start capturing leads.
          </EmptyState>
        )}
        {rows && rows.length > 0 && (
          <ul ref={list} className={classes['cards']}>
            {rows.map((form) => (
              <FormCard key={form.id} form={form} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

/** The page with the dialog for a new form. */
export function NewLeadFormPage() {
  const navigate = useNavigate()
  const close = (): void => void navigate({ to: '/lead-forms' })
  return (
    <>
      <LeadFormsPage />
      <NewFormDialog onClose={close} onLoadCancelled={close} />
    </>
  )
}

const CreateButton = () => (
  <Tooltip label="Create form (N)">
    <Button component={Link} to="/lead-forms/new" leftSection={<IconPlus size={16} stroke={1.75} />}>
      Create form
    </Button>
  </Tooltip>
)
