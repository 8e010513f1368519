import { ActionIcon, Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconUpload } from '@tabler/icons-react'
import type { ImportKind } from '#contract/imports.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { openImport } from '#web/lib/importDialog.ts'
import { Tooltip } from '#web/ui/Tooltip.tsx'

type ImportButtonProps<Row extends { id: string }> = {
  kind: Pick<RecordKind<Row>, 'singular' | 'plural'>
  /** In the bar of a page the button is short, and an icon on phones. */
  isInBar?: boolean
  isPrimary?: boolean
}

/** Opens the dialog that imports records of this kind from a file. Shows nothing for kinds that cannot be imported. */
export function ImportButton<Row extends { id: string }>({ kind, isInBar = false, isPrimary = false }: ImportButtonProps<Row>) {
  const isPhone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const { singular, plural } = kind
  if (!isImportKind(singular)) return null
  const label = `Import ${plural}`
  const open = () => openImport(singular)
  if (isInBar && isPhone)
    return (
      <Tooltip label={label}>
        <ActionIcon aria-label={label} onClick={open}>
          <IconUpload size={18} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<IconUpload size={16} stroke={1.75} />}
      aria-label={label}
      onClick={open}
    >
      {isInBar ? 'Import' : label}
    </Button>
  )
}

const importKinds: Record<ImportKind, true> = { contact: true, company: true, deal: true, task: true }

const isImportKind = (kind: string): kind is ImportKind => Object.hasOwn(importKinds, kind)
