import '#web/ui/dialogs.css'
import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { defaultSuccessMessage, NewLeadForm, type LeadForm } from '#contract/leadForms.ts'
import { toSlug } from '#contract/slugs.ts'
import { createSubmitHandler, getFieldErrors, showFailure } from '#web/lib/forms.ts'
import { newId } from '#web/lib/ids.ts'
import { readFromTab, removeFromTab, storeInTab } from '#web/lib/tabMemory.ts'
import classes from '#web/ui/DialogForm.module.css'
import { useReturnFocus } from '#web/ui/useReturnFocus.ts'
import { useCreateForm } from './queries.ts'

const Values = z.object({ title: z.string(), slug: z.string(), description: z.string(), success_message: z.string() })
type Values = z.infer<typeof Values>

const emptyValues: Values = { title: '', slug: '', description: '', success_message: defaultSuccessMessage }
/** The name under which the tab stores what was entered in a dialog that was closed. */
const draftName = 'new lead form'

/** Asks for the texts of a new form, and opens its editor. Only Cancel discards what was entered. */
export function NewFormDialog({ onClose }: { onClose: () => void }) {
  useReturnFocus()
  const navigate = useNavigate()
  const form = useForm<Values>({
    initialValues: readFromTab(draftName, Values) ?? emptyValues,
    onValuesChange: (values) => storeInTab(draftName, values),
    validate: (values) => getFieldErrors(NewLeadForm, values),
  })
  const create = useCreateForm(
    (error) => showFailure(form, error),
    () => removeFromTab(draftName),
  )
  const submit = ({ slug, ...values }: Values): void => {
    // `onSuccess` is not called after the dialog was closed, so the editor does not open then
    const openEditor = ({ response: { id } }: { response: LeadForm }): void =>
      void navigate({ to: '/lead-forms/$id/edit', params: { id }, replace: true })
    create.mutate({ id: newId(), ...values, ...(slug.trim() !== '' && { slug }) }, { onSuccess: openEditor })
  }
  const { title, slug } = form.values
  return (
    <Modal opened onClose={onClose} title="Create form" size={480}>
      <form className={classes['form']} onSubmit={createSubmitHandler(form, submit)} noValidate>
        <TextInput label="Title" data-autofocus maxLength={200} autoComplete="off" {...form.getInputProps('title')} />
        <TextInput
          label="URL slug"
          description={`${location.host}/form/${toSlug(slug) || toSlug(title) || '…'}`}
          placeholder={toSlug(title)}
          maxLength={300}
          autoComplete="off"
          {...form.getInputProps('slug')}
        />
        <Textarea label="Description" autosize minRows={2} maxRows={6} {...form.getInputProps('description')} />
        <Textarea label="Success message" autosize minRows={2} maxRows={6} {...form.getInputProps('success_message')} />
        <div className={classes['actions']}>
          <Button
            variant="default"
            onClick={() => {
              removeFromTab(draftName)
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create form
          </Button>
        </div>
      </form>
    </Modal>
  )
}
