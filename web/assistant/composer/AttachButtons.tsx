import { ActionIcon, Menu } from '@mantine/core'
import { IconAt, IconDeviceDesktop, IconFolder, IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import type { Attachments } from './useAttachments.ts'

const ChooseFilesDialog = lazyPart(() => import('./ChooseFilesDialog.tsx').then((module) => module.ChooseFilesDialog))

type AttachButtonsProps = { attachments: Attachments; isDisabled: boolean; onMention: () => void }

/** The buttons that attach files and mention records. */
export function AttachButtons({ attachments, isDisabled, onMention }: AttachButtonsProps) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <Menu position="top-start" width={210}>
        <Menu.Target>
          <ActionIcon aria-label="Attach files" title="Attach files" disabled={isDisabled}>
            <IconPaperclip size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFolder size={16} stroke={1.75} />} onClick={() => setChoosing(true)}>
            From Files
          </Menu.Item>
          <Menu.Item leftSection={<IconDeviceDesktop size={16} stroke={1.75} />} onClick={() => chooseFromDevice(attachments.upload)}>
            From this device
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label="Mention a record (@)">
        <ActionIcon aria-label="Mention a record" disabled={isDisabled} onClick={onMention}>
          <IconAt size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {isChoosing && (
        <ChooseFilesDialog onChoose={attachments.add} onClose={() => setChoosing(false)} onLoadCancelled={() => setChoosing(false)} />
      )}
    </>
  )
}

/** Opens the dialog of the browser. The input belongs to no component, because the menu that opened the dialog closes. */
function chooseFromDevice(onChoose: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true, hidden: true })
  input.setAttribute('aria-label', 'Files to attach')
  input.addEventListener('cancel', () => input.remove())
  input.addEventListener('change', () => {
    onChoose([...(input.files ?? [])])
    input.remove()
  })
  document.body.append(input)
  input.click()
}
