import '#web/ui/dialogs.css'
import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { takeoutRoutes, type TakeoutSize } from '#contract/takeout.ts'
import { call } from '#web/lib/client.ts'
import { formatCount, formatFileSize } from '#web/lib/format.ts'
import { startDownload } from '#web/lib/startDownload.ts'
import { toast } from '#web/lib/toasts.ts'
import { SettingsSection } from '#web/ui/SettingsSection.tsx'
import { PasswordConfirmation } from './PasswordConfirmation.tsx'
import { takeoutSizeQuery } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './AccountPage.module.css'

/** Downloads all records and files as one zip, after the user has entered the password. */
export function DownloadEverything() {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingsSection
      title="Your data"
      description="One zip with all your records, as CSV for spreadsheets and as JSON for programs, and all your files in their folders."
    >
      <div className={settings['actions']}>
        <Button variant="default" onClick={() => setOpen(true)}>
          Download everything
        </Button>
      </div>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Download everything?" size={440}>
        <DownloadForm onClose={() => setOpen(false)} />
      </Modal>
    </SettingsSection>
  )
}

function DownloadForm({ onClose }: { onClose: () => void }) {
  const { data: size } = useQuery(takeoutSizeQuery)
  const download = ({ url }: { url: string }): void => {
    startDownload(url, 'Foyer.zip')
    onClose()
    toast({ kind: 'success', title: 'Download started', message: 'Your browser shows its progress.' })
  }
  return (
    <PasswordConfirmation
      name="download-everything"
      body={takeoutRoutes.prepare.body}
      buttonLabel="Download"
      send={(body) => call(takeoutRoutes.prepare, { body })}
      onDone={download}
      onCancel={onClose}
    >
      <p className={classes['note']}>
        {describeContent(size)} Keep it as safe as your password: everybody who has the zip can read it. The trash is not in it.
      </p>
    </PasswordConfirmation>
  )
}

function describeContent(size: TakeoutSize | undefined): string {
  if (!size) return 'The zip has your records and your files.'
  if (size.file_count === 0) return 'The zip has your records. You have no files.'
  return `The zip has your records and ${formatCount(size.file_count, 'file')} (${formatFileSize(size.file_bytes)}).`
}
