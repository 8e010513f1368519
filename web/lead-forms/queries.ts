import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { leadFormRoutes, type LeadForm, type LeadFormRow, type LeadFormPatch, type NewLeadForm } from '#contract/leadForms.ts'
import { callForChange, call } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { followChange, toastChange } from '#web/lib/undo.ts'

const tables = ['lead_forms', 'form_submissions']
const queryKey = ['lead_forms']

/** The query of all forms, newest first. An account has few; the server sends at most 200. */
export const leadFormsQuery = queryOptions({
  queryKey: [...queryKey, 'list'],
  meta: { tables },
  queryFn: ({ signal }) => call(leadFormRoutes.list, { query: { limit: 200 } }, { signal }),
})

export const leadFormQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKey, id],
    meta: { tables },
    queryFn: ({ signal }) => call(leadFormRoutes.get, { params: { id } }, { signal }),
  })

/** The public address of a form. */
export const getPublicAddress = ({ slug }: Pick<LeadForm, 'slug'>): string => `${location.origin}/form/${slug}`

/** Creates a form. `onCreated` is called also after the dialog was closed. */
export function useCreateForm(onError: (error: unknown) => void, onCreated: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: NewLeadForm) => callForChange(leadFormRoutes.create, { body }),
    onError,
    onSuccess: ({ changeId }) => {
      toastChange('Form created', changeId)
      onCreated()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey }), // is not awaited, so that the editor opens at once
  })
}

/** Saves fields of a form. `title` is the title of the toast. `onError` shows an error; by default in a toast. */
export function useUpdateForm(id: string, onError: (error: unknown, sent: LeadFormPatch) => void = (error) => toastError(error)) {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: `lead form ${id}` }, // one after the other, so that a repeated request cannot undo a later one
    mutationFn: ({ body }: { body: LeadFormPatch; title: string }) => callForChange(leadFormRoutes.update, { params: { id }, body }),
    onError: (error, { body }) => onError(error, body),
    onSuccess: ({ response, changeId }, { title }) => {
      queries.setQueryData(leadFormQuery(id).queryKey, response)
      toastChange(title, changeId)
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}

export function useDeleteForm() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: LeadFormRow) => callForChange(leadFormRoutes.delete, { params: { id } }),
    onError: (error) => toastError(error),
    onSuccess: ({ changeId, isRunning }) => {
      const doneTitle = 'Form deleted'
      if (isRunning) void followChange(changeId, { runningTitle: 'Deleting form', doneTitle })
      else toastChange(doneTitle, changeId, 'Its submissions went with it.')
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
}
