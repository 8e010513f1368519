import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** A button that copies a text. An example of a `label` is "Copy email". Not shown without clipboard access, for example on plain http. */
export function CopyButton({ text, label, size = 26 }: { text: string; label: string; size?: number }) {
  const clipboard = useClipboard({ timeout: 1500 })
  if (!('clipboard' in navigator)) return null
  return (
    <Tooltip label={clipboard.copied ? 'Copied!' : label}>
      <ActionIcon size={size} aria-label={clipboard.copied ? 'Copied!' : label} onClick={() => clipboard.copy(text)}>
        {clipboard.copied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  )
}
