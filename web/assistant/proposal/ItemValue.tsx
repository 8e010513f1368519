import type { ProposalItem } from '#contract/proposals.ts'
import type { ShownField } from '#web/lib/features.ts'
import { renderTitleById } from '#web/records/links/linkChoices.tsx'
import { formatValue } from './describe.ts'
import classes from './ProposalItem.module.css'

type ItemValueProps = { field: ShownField | undefined; value: unknown; titles: ProposalItem['link_titles'] }

/** A value of a proposed change. */
export function ItemValue({ field, value, titles }: ItemValueProps) {
  if (typeof value === 'string' && value in titles) return <bdi>{titles[value]}</bdi>
  if (typeof value === 'string' && value !== '' && field?.linksTo) return renderTitleById(field.linksTo)(value)
  const text = formatValue(field, value)
  return text === '' ? <span className={classes['empty']}>empty</span> : <span dir="auto">{text}</span>
}
