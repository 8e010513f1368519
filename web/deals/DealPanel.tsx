import { IconBuilding, IconCalendar, IconChartBar, IconCoin, IconTags, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Deal } from '#contract/deals.ts'
import { formatDaysFromNow, countDaysUntil, formatExactDay, formatMoney, formatShortDay } from '#web/lib/format.ts'
import { Remark, Fact, FieldFact, RecordFacts } from '#web/records/panel/RecordFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { PanelText } from '#web/records/panel/SidePanel.tsx'
import { TasksSection } from '#web/tasks/TasksSection.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { dealKind } from './kind/dealKind.tsx'
import { StageFact } from './StageFact.tsx'
import { isClosed, getProbability } from './kind/stages.ts'

const { fields } = dealKind

/** The panel of a deal, which opens over the board or the list. It shows the fields and the tasks of the deal. */
export const DealPanel = () => <RecordPanel kind={dealKind}>{(deal) => <DealDetails deal={deal} />}</RecordPanel>

const DealDetails = ({ deal }: { deal: Deal }) => (
  <>
    <RecordFacts>
      <StageFact deal={deal} />
      <Fact icon={IconCoin} label={fields.value.label}>
        {deal.value !== null && formatMoney(deal.value)}
      </Fact>
      <Fact icon={IconChartBar} label={fields.probability.label}>
        {getProbability(deal)}% <ProbabilityRemark deal={deal} />
      </Fact>
      <Fact icon={IconCalendar} label={fields.expected_close_date.label}>
        {deal.expected_close_date && <CloseDate date={deal.expected_close_date} isOpen={!isClosed(deal.stage)} />}
      </Fact>
      <Fact icon={IconUsers} label={fields.contact_id.label}>
        {deal.contact_id && (
          <>
            <Avatar id={deal.contact_id} name={deal.contact_name} size={20} />
            <Link className="link" to="/crm/contacts/$id" params={{ id: deal.contact_id }}>
              {deal.contact_name}
            </Link>
          </>
        )}
      </Fact>
      <Fact icon={IconBuilding} label={fields.company_id.label}>
        {deal.company_id && (
          <Link className="link" to="/crm/companies/$id" params={{ id: deal.company_id }}>
            {deal.company_name}
          </Link>
        )}
      </Fact>
      <FieldFact kind={dealKind} record={deal} field="tags" icon={IconTags} />
    </RecordFacts>
    <PanelText>{deal.description}</PanelText>
    <TasksSection dealId={deal.id} contactId={deal.contact_id} />
  </>
)

/** A remark after the probability: the value of an open deal in the forecast, or "usual for the stage" for a deal without a probability. */
function ProbabilityRemark({ deal }: { deal: Deal }) {
  if (deal.value !== null && !isClosed(deal.stage))
    return <Remark>counts as {formatMoney((deal.value * getProbability(deal)) / 100)} in the forecast</Remark>
  return deal.probability === null && <Remark>usual for the stage</Remark>
}

/** The expected close date. For an open deal it shows the distance from today, in red when the date is past. */
function CloseDate({ date, isOpen }: { date: string; isOpen: boolean }) {
  const days = countDaysUntil(date)
  return (
    <>
      <time dateTime={date} title={formatExactDay(date)}>
        {formatShortDay(date)}
      </time>
      {isOpen && <Remark tone={days < 0 ? 'danger' : undefined}>{formatDaysFromNow(days)}</Remark>}
    </>
  )
}
