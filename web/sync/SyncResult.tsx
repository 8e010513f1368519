import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { CrmSync } from '#contract/crmConnections.ts'
import { formatCount, formatNumber } from '#web/lib/format.ts'
import { undoChange } from '#web/lib/undo.ts'
import { describeState } from './describeSync.ts'
import { isUnfinished } from './queries.ts'
import settings from '#web/ui/settings.module.css'
import classes from './CrmPage.module.css'

/** The progress or the result of a sync, with the skipped, failed and missing contacts. */
export function SyncResult({ sync }: { sync: CrmSync }) {
  const { status, problem, reasons, missing, missing_contacts } = sync
  const isWarning = problem !== null && (status === 'failed' || status === 'waiting')
  return (
    <div className={classes['result']}>
      <output className={classes['state']}>
        {isWarning && <IconAlertTriangle size={16} stroke={1.7} aria-hidden />}
        <span>
          {describeState(sync)}
          {status === 'running' && '…'}
          {isWarning && `: ${problem}`}
          {status === 'waiting' && ' It continues by itself.'}
        </span>
      </output>
      {status === 'running' && <div className={classes['bar']} />}
      <Counts sync={sync} />
      {reasons.length > 0 && (
        <details className={classes['details']}>
          <summary>{formatCount(sync.skipped + sync.failed, 'contact')} skipped or failed: why</summary>
          <ul className={classes['list']}>
            {reasons.map(({ external_id, name, reason }) => (
              <li key={external_id}>
                <b>{name || 'No name'}</b> (number {external_id}): {reason}
              </li>
            ))}
            {sync.skipped + sync.failed > reasons.length && <li>And {formatNumber(sync.skipped + sync.failed - reasons.length)} more.</li>}
          </ul>
        </details>
      )}
      {missing > 0 && (
        <details className={classes['details']}>
          <summary>{formatCount(missing, 'contact')} no longer in Insightly</summary>
          <p className={settings['text']}>They were deleted there and stay here.</p>
          <ul className={classes['list']}>
            {missing_contacts.map(({ id, name }) => (
              <li key={id}>
                <Link className="link" to="/crm/contacts/$id" params={{ id }}>
                  {name || 'Contact without a name'}
                </Link>
              </li>
            ))}
            {missing > missing_contacts.length && <li>And {formatNumber(missing - missing_contacts.length)} more.</li>}
          </ul>
        </details>
      )}
      <UndoSync sync={sync} />
    </div>
  )
}

/** The button that undoes a sync; nothing for a sync that is not finished, is undone, or wrote nothing. */
export function UndoSync({ sync }: { sync: CrmSync }) {
  const { status, change, created, updated } = sync
  if (isUnfinished(sync) || status === 'undone' || created + updated === 0) return null
  return (
    <Button variant="subtle" size="compact-sm" className={classes['undo'] ?? ''} onClick={() => void undoChange(change, 'CRM data synced')}>
      Undo this sync
    </Button>
  )
}

/** The numbers of contacts. Skipped and failed contacts are shown only if there are any. */
function Counts({ sync: { created, updated, unchanged, skipped, failed } }: { sync: CrmSync }) {
  const counts = { created, updated, unchanged, ...(skipped > 0 && { skipped }), ...(failed > 0 && { failed }) }
  return (
    <dl className={classes['counts']}>
      {Object.entries(counts).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
