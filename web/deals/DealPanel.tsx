import { IconBuilding, IconCalendar, IconChartBar, IconCoin, IconTags, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Deal } from '#contract/deals.ts'
import { daysFromNow, daysUntil, exactDay, money, shortDay } from '#web/lib/format.ts'
import { Beside, Fact, RecordFacts, Tags } from '#web/records/panel/RecordFacts.tsx'
import { RecordPanel } from '#web/records/panel/RecordPanel.tsx'
import { PanelProse, PanelTitle } from '#web/records/panel/SidePanel.tsx'
import { TasksSection } from '#web/tasks/TasksSection.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { dealLabels, tellDeal } from './dealKind.ts'
import { dealPlace } from './dealPlace.ts'
import { dealQuery } from './queries.ts'
import { StageFact } from './StageFact.tsx'
import { isClosed, probabilityOf } from './stages.ts'

const route = getRouteApi('/signed-in/crm/deals/$id')

/** One deal over the board or list: what is known of it, what is to do, and what happened. */
export function DealPanel() {
  const { id } = route.useParams()
  const { panel } = route.useSearch()
  const found = useQuery(dealQuery(id))
  return (
    <RecordPanel
      kind={dealPlace}
      id={id}
      asPage={panel === 'page'}
      record={found}
      visit={({ title, company_name }) => ({ title, detail: company_name })}
      tell={tellDeal}
    >
      {(deal) => <Shown deal={deal} />}
    </RecordPanel>
  )
}

const Shown = ({ deal }: { deal: Deal }) => (
  <>
    <PanelTitle>{deal.title}</PanelTitle>
    <RecordFacts>
      <StageFact deal={deal} />
      <Fact icon={IconCoin} label={dealLabels.value}>
        {deal.value !== null && money(deal.value)}
      </Fact>
      <Fact icon={IconChartBar} label={dealLabels.probability}>
        {probabilityOf(deal)}% <Weight deal={deal} />
      </Fact>
      <Fact icon={IconCalendar} label={dealLabels.expected_close_date}>
        {deal.expected_close_date && <CloseDate date={deal.expected_close_date} open={!isClosed(deal.stage)} />}
      </Fact>
      <Fact icon={IconUsers} label={dealLabels.contact_id}>
        {deal.contact_id && (
          <>
            <Avatar id={deal.contact_id} name={deal.contact_name} size={20} />
            <Link className="link" to="/crm/contacts/$id" params={{ id: deal.contact_id }}>
              {deal.contact_name}
            </Link>
          </>
        )}
      </Fact>
      <Fact icon={IconBuilding} label={dealLabels.company_id}>
        {deal.company_id && (
          <Link className="link" to="/crm/companies/$id" params={{ id: deal.company_id }}>
            {deal.company_name}
          </Link>
        )}
      </Fact>
      <Fact icon={IconTags} label={dealLabels.tags}>
        {deal.tags.length > 0 && <Tags tags={deal.tags} />}
      </Fact>
    </RecordFacts>
    <PanelProse>{deal.description}</PanelProse>
    <TasksSection dealId={deal.id} contactId={deal.contact_id} />
  </>
)

/** What the deal adds to the forecast; a closed one adds nothing. */
function Weight({ deal }: { deal: Deal }) {
  if (deal.value !== null && !isClosed(deal.stage))
    return <Beside>weighs {money((deal.value * probabilityOf(deal)) / 100)} in the forecast</Beside>
  return deal.probability === null && <Beside>usual for the stage</Beside>
}

function CloseDate({ date, open }: { date: string; open: boolean }) {
  const days = daysUntil(date)
  return (
    <>
      <time dateTime={date} title={exactDay(date)}>
        {shortDay(date)}
      </time>
      {open && <Beside tone={days < 0 ? 'danger' : undefined}>{daysFromNow(days)}</Beside>}
    </>
  )
}
