import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'

/** How long the button shows that the text was copied. */
const copiedMs = 1500

type CopyButtonProps = {
  /** The text to copy. */
  text: string
  /** What the button does, for screen readers and the tooltip: "Copy email". */
  label: string
  /** In px. */
  size?: number
}

/** A button that copies a text. It is hidden if the browser has no access to the clipboard, for example on a page without https. */
export function CopyButton({ text, label, size = 26 }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: copiedMs })
  if (!('clipboard' in navigator)) return null
  return (
    <Tooltip label={clipboard.copied ? 'Copied!' : label}>
      <ActionIcon size={size} aria-label={clipboard.copied ? 'Copied!' : label} onClick={() => clipboard.copy(text)}>
        {clipboard.copied ? <IconCheck size={16} stroke={1.75} /> : <IconCopy size={16} stroke={1.75} />}
      </ActionIcon>
    </Tooltip>
  )
}
