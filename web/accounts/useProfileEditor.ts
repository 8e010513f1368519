import { useEffect, useState } from 'react'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { accountRoutes, ProfilePatch, type Profile } from '#contract/accounts.ts'
import { callForChange } from '#web/lib/client.ts'
import { useDirtyEditor } from '#web/lib/editors.ts'
import { fieldErrors, focusFirst, showFailure } from '#web/lib/forms.ts'
import { useSession } from '#web/lib/session.ts'
import { toast } from '#web/lib/toasts.ts'
import { remember } from '#web/lib/undo.ts'
import { changedFields, conflictOf, fieldsOf, type ProfileFields } from './profile.ts'
import { keepProfile } from './queries.ts'

/** The form of the profile: what is typed, where the edit began, and what the server says to it. Sends only what was changed. */
export function useProfileEditor() {
  const { profile } = useSession()
  const [started, setStarted] = useState(profile)
  const form = useForm<ProfileFields>({ initialValues: fieldsOf(started), validate: (values) => fieldErrors(ProfilePatch, values) })
  const dirty = form.isDirty()
  const begin = (from: Profile): void => {
    setStarted(from)
    form.setInitialValues(fieldsOf(from))
    form.setValues(fieldsOf(from))
  }
  const saving = useMutation({
    mutationFn: ({ values, version }: { values: ProfileFields; version: number }) =>
      callForChange(accountRoutes.updateProfile, { body: { ...changedFields(started, values), version } }),
    onError: (error) => !conflictOf(error) && showFailure(form, error),
    onSuccess: ({ answer, change }) => {
      keepProfile(answer)
      begin(answer)
      remember(change, 'Account updated')
      toast({ kind: 'success', title: 'Account updated', change })
    },
  })
  const conflict = conflictOf(saving.error)
  useDirtyEditor(dirty)
  useEffect(() => {
    if (!dirty && profile.version !== started.version) begin(profile) // changed in another tab, or undone
    // oxlint-disable-next-line react/exhaustive-deps -- only a new profile matters
  }, [profile])
  return {
    form,
    started,
    dirty,
    conflict,
    busy: saving.isPending,
    submit: form.onSubmit(
      (values) => saving.mutate({ values, version: conflict?.version ?? started.version }),
      (errors) => void focusFirst(form, errors),
    ),
    cancel: () => {
      saving.reset()
      begin(profile)
    },
  }
}
