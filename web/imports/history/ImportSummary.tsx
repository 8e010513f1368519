import { VisuallyHidden } from '@mantine/core'
import { IconAlertCircle, IconArrowBackUp, IconCircleCheck, IconFile, IconLoader2, IconPlayerStop } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Import } from '#contract/imports.ts'
import type { Icon } from '#web/lib/features.ts'
import { capitalise } from '#web/lib/format.ts'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { importNouns } from '../kinds.ts'
import { describeResult } from '../result/describeImport.ts'
import classes from './ImportSummary.module.css'

/** An import in a list: its state, its file and its result. */
export function ImportSummary({ summary }: { summary: Import }) {
  const { id, kind, file_name: name, status, rows_done: done, rows_total: total, started_at: startedAt, created_at: createdAt } = summary
  const { StateIcon, tone, label } = getState(summary)
  return (
    <>
      <span className={classes['icon']} data-tone={tone} title={label}>
        <StateIcon size={18} stroke={1.6} />
        <VisuallyHidden>{label}</VisuallyHidden>
      </span>
      <div className={classes['text']}>
        <Link className={classes['name']} to="/crm/imports/$id" params={{ id }} title={name} dir="auto">
          {name}
        </Link>
        <p className={classes['detail']}>
          {capitalise(importNouns[kind].plural)} · <RelativeTime at={startedAt ?? createdAt} /> · {describeResult(summary)}
        </p>
        {status === 'running' && (
          <progress
            className={classes['progress']}
            aria-label={`Progress of ${name}`}
            max={total ?? 1}
            value={total === null ? undefined : done}
          />
        )}
      </div>
    </>
  )
}

type State = { StateIcon: Icon; tone: 'quiet' | 'good' | 'warning' | 'bad'; label: string }

function getState({ status, failed, undone }: Import): State {
  if (undone) return { StateIcon: IconArrowBackUp, tone: 'quiet', label: 'Undone' }
  if (status === 'uploaded') return { StateIcon: IconFile, tone: 'quiet', label: 'Not started' }
  if (status === 'running') return { StateIcon: IconLoader2, tone: 'quiet', label: 'Running' }
  if (status === 'failed') return { StateIcon: IconAlertCircle, tone: 'bad', label: 'Failed' }
  if (status === 'stopped') return { StateIcon: IconPlayerStop, tone: 'quiet', label: 'Stopped' }
  if (failed > 0) return { StateIcon: IconAlertCircle, tone: 'warning', label: 'Imported, with failed rows' }
  return { StateIcon: IconCircleCheck, tone: 'good', label: 'Imported' }
}
