import { IconAlignLeft, IconBuilding, IconCalendar, IconChartBar, IconCoin, IconTags, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Deal } from '#contract/deals.ts'
import { formatDaysFromNow, countDaysUntil, formatExactDay, formatMoney, formatShortDay } from '#web/lib/format.ts'
import { EditableFacts, type EditableFact } from '#web/records/panel/EditableFacts.tsx'
import { Remark } from '#web/records/panel/RecordFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { TasksSection } from '#web/tasks/TasksSection.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { useNow } from '#web/ui/useNow.ts'
import { dealInputs } from './dealInputs.tsx'
import { dealKind } from './kind/dealKind.tsx'
import { StageFact } from './StageFact.tsx'
import { isClosed, getProbability } from './kind/stages.ts'

const facts: readonly EditableFact<Deal>[] = [
  { fields: ['value'], icon: IconCoin, render: ({ value }) => value !== null && formatMoney(value) },
  {
    fields: ['probability'],
    icon: IconChartBar,
    isNeverEmpty: true,
    render: (deal) => (
      <>
        {getProbability(deal)}% <ProbabilityRemark deal={deal} />
      </>
    ),
  },
  { fields: ['expected_close_date'], icon: IconCalendar, render: (deal) => deal.expected_close_date && <CloseDate deal={deal} /> },
  {
    fields: ['contact_id'],
    icon: IconUsers,
    render: (deal) => deal.contact_id && <ContactLink id={deal.contact_id} name={deal.contact_name} />,
  },
  {
    fields: ['company_id'],
    icon: IconBuilding,
    render: ({ company_id, company_name }) =>
      company_id && (
        <Link className="link" to="/crm/companies/$id" params={{ id: company_id }}>
          {company_name}
        </Link>
      ),
  },
  { fields: ['tags'], icon: IconTags },
  { fields: ['description'], icon: IconAlignLeft, isWide: true },
]

/** The panel of a deal, which opens over the board or the list. It shows the fields and the tasks of the deal. */
export const DealPanel = () => (
  <RecordPanel kind={dealKind} inputs={dealInputs} titleField="title">
    {(deal) => (
      <>
        <EditableFacts kind={dealKind} record={deal} inputs={dealInputs} facts={facts}>
          <StageFact deal={deal} />
        </EditableFacts>
        <TasksSection dealId={deal.id} contactId={deal.contact_id} />
      </>
    )}
  </RecordPanel>
)

const ContactLink = ({ id, name }: { id: string; name: string }) => (
  <>
    <Avatar id={id} name={name} size={20} />
    <Link className="link" to="/crm/contacts/$id" params={{ id }}>
      {name}
    </Link>
  </>
)

/** A remark after the probability: the value of an open deal in the forecast, or "usual for the stage" for a deal without a probability. */
function ProbabilityRemark({ deal }: { deal: Deal }) {
  if (deal.value !== null && !isClosed(deal.stage))
    return <Remark>counts as {formatMoney((deal.value * getProbability(deal)) / 100)} in the forecast</Remark>
  return deal.probability === null && <Remark>usual for the stage</Remark>
}

/** The expected close date. For an open deal it shows the distance from today, in red when the date is past. */
function CloseDate({ deal: { expected_close_date: date, stage } }: { deal: Deal }) {
  const now = useNow()
  if (!date) return null
  const days = countDaysUntil(date, now)
  return (
    <>
      <time dateTime={date} title={formatExactDay(date)}>
        {formatShortDay(date)}
      </time>
      {!isClosed(stage) && <Remark tone={days < 0 ? 'danger' : undefined}>{formatDaysFromNow(days)}</Remark>}
    </>
  )
}
