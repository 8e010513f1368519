import { useEffect } from 'react'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crmConnectionRoutes, NewCrmConnection, type CrmConnection } from '#contract/crmConnections.ts'
import { call } from '#web/lib/client.ts'
import { createSubmitHandler, getFieldErrors, showFailure, useUnsavedWork } from '#web/lib/forms.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { useIsMounted } from '#web/ui/useIsMounted.ts'
import { connectionsQuery } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './CrmPage.module.css'

/** Replaces the key of a connection, for example when the old one was withdrawn. The server tests the new one first. */
export function KeyForm({ connection: { id }, onClose }: { connection: CrmConnection; onClose: () => void }) {
  const queries = useQueryClient()
  const isOpen = useIsMounted()
  const form = useForm({ initialValues: { api_key: '' }, validate: (values) => getFieldErrors(NewCrmConnection, values) })
  const replace = useMutation({
    mutationFn: (body: typeof form.values) => call(crmConnectionRoutes.replaceKey, { params: { id }, body }),
    onError: (error) => showFailure(form, error),
    onSuccess: () => {
      toastWithoutUndo('API key changed')
      if (isOpen.current) onClose()
    },
    onSettled: () => queries.invalidateQueries(connectionsQuery),
  })
  useUnsavedWork(form.isDirty())
  const { getInputNode } = form
  useEffect(() => getInputNode('api_key')?.focus(), [getInputNode])
  return (
    <form className={classes['keyForm']} onSubmit={createSubmitHandler(form, (values) => replace.mutate(values))} noValidate>
      <PasswordField
        label="New API Key"
        autoComplete="off"
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        hint="The contacts of this connection stay as they are."
        {...form.getInputProps('api_key')}
      />
      <div className={settings['actions']}>
        <Button type="submit" loading={replace.isPending}>
          Save key
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
