import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** Copies a text. `label` says what: "Copy email". Absent where the browser forbids copying (plain http in a local network). */
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
