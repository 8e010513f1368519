import { IconClock } from '@tabler/icons-react'
import type { DealRow } from '#contract/deals.ts'
import { countDaysUntil, formatExactDay, formatCompactDay } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { useNow } from '#web/ui/useNow.ts'
import classes from './DealBadges.module.css'
import { isClosed, getStageColour, stageLabels } from './stages.ts'

export const StageBadge = ({ stage }: Pick<DealRow, 'stage'>) => <Badge label={stageLabels[stage]} colour={getStageColour(stage)} />

/** The expected close date, marked when it is overdue. */
export function CloseDay({ deal: { stage, expected_close_date: date } }: { deal: Pick<DealRow, 'stage' | 'expected_close_date'> }) {
  const now = useNow()
  if (!date) return null
  const isLate = !isClosed(stage) && countDaysUntil(date, now) < 0
  return (
    <time
      className={classes['day']}
      dateTime={date}
      title={isLate ? `${formatExactDay(date)}, overdue` : formatExactDay(date)}
      data-late={isLate || undefined}
    >
      {isLate && (
        <>
          <IconClock size={12} stroke={1.75} aria-hidden />
          <span className={classes['screenReaderOnly']}>Overdue, </span>
        </>
      )}
      {formatCompactDay(date, now)}
    </time>
  )
}
