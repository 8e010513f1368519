import { IconUpload } from '@tabler/icons-react'
import { formatCount } from '#web/lib/format.ts'
import { useStore } from '#web/lib/store.ts'
import { dragTarget } from './useDropTarget.ts'
import classes from './DropHint.module.css'

/** Says where the dragged files would be uploaded: "Drop to upload 3 items to Photos". */
export function DropHint() {
  const target = useStore(dragTarget)
  if (!target) return null
  return (
    <div className={classes['hint']}>
      <IconUpload size={16} stroke={1.75} aria-hidden="true" />
      <span>
        Drop to upload {target.count > 0 && `${formatCount(target.count, target.noun)} `}to <strong>{target.name}</strong>
      </span>
    </div>
  )
}
