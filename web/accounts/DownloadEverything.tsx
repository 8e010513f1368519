import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { takeoutRoutes, type TakeoutSize } from '#contract/takeout.ts'
import { call } from '#web/lib/client.ts'
import { formatCount, formatFileSize } from '#web/lib/format.ts'
import { createSubmitHandler, getFieldErrors, showFailure } from '#web/lib/forms.ts'
import { startDownload } from '#web/lib/startDownload.ts'
import { toast } from '#web/lib/toasts.ts'
import { PasswordField } from '#web/ui/PasswordField.tsx'
import { AccountSection } from './AccountSection.tsx'
import { takeoutSizeQuery } from './queries.ts'
import classes from './AccountPage.module.css'

/** Downloads all records and files as one zip, after the user has entered the password. */
export function DownloadEverything() {
  const [isOpen, setOpen] = useState(false)
  return (
    <AccountSection
      title="Your data"
      description="One zip with all your records, as CSV for spreadsheets and as JSON for programs, and all your files in their folders."
    >
      <div className={classes['actions']}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Download everything
        </Button>
      </div>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Download everything?" size={440}>
        <DownloadForm onClose={() => setOpen(false)} />
      </Modal>
    </AccountSection>
  )
}

function DownloadForm({ onClose }: { onClose: () => void }) {
  const { data: size } = useQuery(takeoutSizeQuery)
  const form = useForm({
    name: 'download-everything', // the page has other forms with a password
    initialValues: { password: '' },
    validate: (values) => getFieldErrors(takeoutRoutes.prepare.body, values),
  })
  const preparation = useMutation({
    mutationFn: (values: typeof form.values) => call(takeoutRoutes.prepare, { body: values }),
    onError: (error) => showFailure(form, error),
    onSuccess: ({ url }) => {
      startDownload(url, 'Foyer.zip')
      onClose()
      toast({ kind: 'success', title: 'Download started', message: 'Your browser shows its progress.' })
    },
  })
  return (
    <form onSubmit={createSubmitHandler(form, (values) => preparation.mutate(values))} noValidate>
      <p className={classes['note']}>
        {describeContent(size)} Keep it as safe as your password: everybody who has the zip can read it. The trash is not in it.
      </p>
      <PasswordField
        label="Type your password to go on"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('password')}
      />
      <div className={classes['dialogActions']}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={preparation.isPending}>
          Download
        </Button>
      </div>
    </form>
  )
}

function describeContent(size: TakeoutSize | undefined): string {
  if (!size) return 'The zip has your records and your files.'
  if (size.file_count === 0) return 'The zip has your records. You have no files.'
  return `The zip has your records and ${formatCount(size.file_count, 'file')} (${formatFileSize(size.file_bytes)}).`
}
