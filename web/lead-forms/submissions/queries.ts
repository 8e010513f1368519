import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { submissionRoutes, type Submission } from '#contract/submissions.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { formatCount } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'

const tables = ['form_submissions', 'lead_forms', 'crm_contacts']
const queryKey = ['form_submissions']
const pageSize = 50

export type SubmissionFilter = { formId: string; search: string; isSpam: boolean }

/** The query of the submissions of a form, newest first, page by page. */
export const submissionsQuery = ({ formId, search, isSpam }: SubmissionFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, 'list', { formId, search, isSpam }],
    meta: { tables },
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { form_id: formId, search, spam: isSpam ? ('true' as const) : ('false' as const), limit: pageSize }
      return call(submissionRoutes.list, { query: { ...query, ...(pageParam !== '' && { after: pageParam }) } }, { signal })
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })

export const submissionQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKey, id],
    meta: { tables },
    queryFn: ({ signal }) => call(submissionRoutes.get, { params: { id } }, { signal }),
  })

/** Moves a submission into the spam folder or out of it. `onGone` is called before the list is loaded again without the submission. */
export function useSetSpam({ id }: Pick<Submission, 'id'>, onGone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (isSpam: boolean) => callForChange(submissionRoutes.setSpam, { params: { id }, body: { is_spam: isSpam } }),
    onError: (error) => toastError(error),
    onSuccess: ({ response, changeId }, isSpam) => {
      onGone()
      if (isSpam) toastChange('Moved to spam', changeId)
      else toastChange('Not spam', changeId, response.contact_name === '' ? undefined : `Contact: ${response.contact_name}`)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

/** Changes many submissions at once. Each request is one change that can be undone. `onDone` is called with their ids after a success. */
export function useBulkChanges(onDone: (ids: readonly string[]) => void) {
  const queries = useQueryClient()
  const onError = (error: unknown): void => toastError(error)
  const onSettled = () => queries.invalidateQueries({ queryKey })
  const setSpam = useMutation({
    mutationFn: (body: { ids: string[]; is_spam: boolean }) => callForChange(submissionRoutes.setSpamOfMany, { body }),
    onError,
    onSuccess: ({ changeId }, { ids, is_spam: isSpam }) => {
      onDone(ids)
      toastChange(isSpam ? 'Moved to spam' : 'Not spam', changeId, formatCount(ids.length, 'submission'))
    },
    onSettled,
  })
  const remove = useMutation({
    mutationFn: (ids: string[]) => callForChange(submissionRoutes.deleteMany, { body: { ids } }),
    onError,
    onSuccess: ({ changeId }, ids) => {
      onDone(ids)
      toastChange(`${formatCount(ids.length, 'submission')} deleted`, changeId)
    },
    onSettled,
  })
  return { setSpam, remove }
}

export function useDeleteSubmission(onGone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Submission, 'id'>) => callForChange(submissionRoutes.delete, { params: { id } }),
    onError: (error) => toastError(error),
    onSuccess: ({ changeId }) => {
      onGone()
      toastChange('Submission deleted', changeId)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
