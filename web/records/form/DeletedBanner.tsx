import { Button } from '@mantine/core'
import { Warning } from '#web/ui/Warning.tsx'
import type { RecordEditor } from './useRecordEditor.ts'

type DeletedBannerProps = { editor: RecordEditor; noun: string; onRestore: () => void }

/** Says that the record went while it was edited, and offers to bring it back with what was typed. */
export function DeletedBanner({ editor: { gone, saving }, noun, onRestore }: DeletedBannerProps) {
  if (gone === 'erased')
    return (
      <Warning key={gone} title={`This ${noun} was erased for good while you were editing`}>
        <p>It cannot be saved any more. Copy what you need and add it as a new {noun}.</p>
      </Warning>
    )
  if (gone === undefined) return null
  return (
    <Warning key={gone} title={`This ${noun} was deleted while you were editing. Restore it and save?`}>
      <p>What you typed stays here.</p>
      <Button variant="default" mt={8} onClick={onRestore} loading={saving}>
        Restore and save
      </Button>
    </Warning>
  )
}
