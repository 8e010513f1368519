import { IconDots } from '@tabler/icons-react'
import type { File } from '#contract/files.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import rowButton from '#web/ui/RowButton.module.css'
import { AiLabel } from '../kind/AiLabel.tsx'
import { FileIcon } from '../kind/FileIcon.tsx'
import { FileName } from '../kind/FileName.tsx'
import classes from './FileTile.module.css'

/** The size of a tile in px. */
export const tileSize = { minWidth: 176, minPhoneWidth: 150, height: 194 }

type FileTileProps = { file: File; isSelected: boolean; isInTabOrder: boolean; onToggle: (click: { isShiftHeld: boolean }) => void }

/** A file in the grid, with its thumbnail. The grid handles clicks on the link (`data-row-link`) and on the button (`data-action`). */
export function FileTile({ file, isSelected, isInTabOrder, onToggle }: FileTileProps) {
  const { id, file_name, file_type, file_size, is_ai_generated } = file
  const tabIndex = isInTabOrder ? 0 : -1
  return (
    <div className={classes['tile']} data-selected={isSelected || undefined}>
      <div className={classes['picture']}>
        {file.has_thumbnail ? (
          <img src={`/api/files/${id}/thumbnail`} alt="" loading="lazy" draggable={false} />
        ) : (
          <FileIcon fileType={file_type} size={36} />
        )}
      </div>
      <div className={classes['checkbox']}>
        <Checkbox label={`Select ${file_name}`} checked={isSelected} isInTabOrder={isInTabOrder} onToggle={onToggle} />
      </div>
      <div className={classes['texts']}>
        {file.has_thumbnail && <FileIcon fileType={file_type} />}
        <div className={classes['names']}>
          <a href={`/files/file/${id}`} aria-label={file_name} data-row-link draggable={false} tabIndex={tabIndex}>
            <FileName name={file_name} isNarrow />
          </a>
          <div className={classes['facts']}>
            {formatFileSize(file_size)} {is_ai_generated && <AiLabel />}
          </div>
        </div>
        <button
          type="button"
          className={rowButton['button']}
          data-action="menu"
          aria-label={`More for ${file_name}`}
          aria-haspopup="menu"
          tabIndex={tabIndex}
        >
          <IconDots size={16} stroke={1.75} aria-hidden />
        </button>
      </div>
    </div>
  )
}
