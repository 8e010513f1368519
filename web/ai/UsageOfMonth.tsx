import { useQuery } from '@tanstack/react-query'
import type { AiUsage } from '#contract/ai.ts'
import { formatNumber } from '#web/lib/format.ts'
import { aiUsageQuery } from './queries.ts'
import classes from './AiSettings.module.css'

/** Shows the use of the AI in this month and of today's limit. Shows nothing if there is neither a connection nor any use. */
export function UsageOfMonth({ hasConnection }: { hasConnection: boolean }) {
  const { data: usage } = useQuery(aiUsageQuery)
  if (!usage || (!hasConnection && usage.answers + usage.images === 0)) return null
  const facts = [
    ['Answers', formatNumber(usage.answers)],
    ['Pictures', formatNumber(usage.images)],
    ['Tokens read', formatNumber(usage.input_tokens)],
    ['Tokens written', formatNumber(usage.output_tokens)],
    ...(usage.cost === null ? [] : [['Cost', formatDollars(usage.cost)]]),
  ]
  return (
    <section className={classes['usage']} aria-label="Use of the AI this month">
      <h3 className={classes['subhead']}>This month</h3>
      <dl className={classes['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {usage.tokens_per_day !== null && <LimitOfDay used={usage.tokens_today} limit={usage.tokens_per_day} />}
    </section>
  )
}

function LimitOfDay({ used, limit }: { used: AiUsage['tokens_today']; limit: number }) {
  const text = `${formatNumber(used)} of ${formatNumber(limit)} tokens used today`
  return (
    <div className={classes['limit']}>
      <meter className={classes['meter']} min={0} max={limit} value={Math.min(used, limit)} aria-label={text} />
      <p>
        {text}
        {used >= limit && '. The AI works again tomorrow'}.
      </p>
    </div>
  )
}

/** Formats a cost as "$1.25", and smaller ones with more digits: "$0.0042". */
const formatDollars = (cost: number): string =>
  formatNumber(cost, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: cost > 0 && cost < 0.1 ? 4 : 2,
  })
