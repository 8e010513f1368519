import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowLeft, IconArrowUp } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import type { File } from '#contract/files.ts'
import { useActions } from '#web/lib/actions.ts'
import type { Icon } from '#web/lib/features.ts'
import { useWindowWidth } from '#web/records/list/columns.ts'
import { PageBar, PageBarStartContext } from '#web/ui/PageBar.tsx'
import { FileActions } from './FileActions.tsx'
import { previewLink } from './previewLink.ts'
import { findPreviewType } from './previewType.ts'
import { useFileNeighbours } from './useFileNeighbours.ts'
import type { Place } from './usePlace.ts'

type PreviewBarProps = {
  /** Undefined while the file is being loaded. */
  file: File | undefined
  place: Place
  onClose: () => void
}

/**
 * The bar above a file, with a link to its folder or contact, its name, the buttons for the previous and the next file, and its actions. On
 * phones a button that goes back replaces the link, and there are no buttons for the previous and the next file.
 */
export function PreviewBar({ file, place, onClose }: PreviewBarProps) {
  const isPhone = useWindowWidth() === 'phone'
  const title = file?.file_name ?? 'File'
  const bar = (
    <PageBar
      title={title}
      breadcrumb={
        isPhone
          ? []
          : [
              <Link key="place" to={place.address} title={place.title}>
                {place.title}
              </Link>,
            ]
      }
      titleButtons={file && !isPhone && <NeighbourButtons file={file} />}
      actions={file && <FileActions file={file} isPhone={isPhone} onClose={onClose} />}
    />
  )
  if (!isPhone) return bar
  const back = (
    <ActionIcon size={44} style={{ marginLeft: -12 }} aria-label={`Back to ${place.title}`} onClick={onClose}>
      <IconArrowLeft size={20} stroke={1.6} />
    </ActionIcon>
  )
  return <PageBarStartContext value={back}>{bar}</PageBarStartContext>
}

/** The buttons and shortcuts that open the neighbours of the file in its list. */
function NeighbourButtons({ file }: { file: File }) {
  const { previous, next } = useFileNeighbours(file)
  const navigate = useNavigate()
  const open = (neighbour: File): void => {
    void navigate({ ...previewLink(neighbour.id), replace: true }) // `replace`, so that Back still opens the list
  }
  const canUseArrows = ['image', 'none'].includes(findPreviewType(file.file_type)) // in texts and documents the arrow keys scroll
  const step = (label: string, key: string, arrow: string, icon: Icon, neighbour: File | undefined) => ({
    keys: canUseArrows ? `${key} ${arrow}` : key,
    label,
    icon,
    neighbour,
    run: () => neighbour && open(neighbour),
  })
  const steps = [step('Previous file', 'k', 'ArrowLeft', IconArrowUp, previous), step('Next file', 'j', 'ArrowRight', IconArrowDown, next)]
  useActions(steps.filter(({ neighbour }) => neighbour).map(({ keys, label, icon, run }) => ({ keys, label, icon, run })))
  if (!previous && !next) return null
  return (
    <span style={{ display: 'flex', flex: 'none' }}>
      {steps.map(({ keys, label, icon: Picture, neighbour, run }) => (
        <Tooltip key={label} label={`${label} (${keys.charAt(0).toUpperCase()})`}>
          <ActionIcon size={28} aria-label={label} disabled={!neighbour} onClick={run}>
            <Picture size={16} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      ))}
    </span>
  )
}
