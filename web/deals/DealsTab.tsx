import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dealRoutes } from '#contract/deals.ts'
import { formatMoney } from '#web/lib/format.ts'
import { LinkedCount } from '#web/records/links/LinkedCount.tsx'
import { RowEnd, ShortRecordList } from '#web/records/panel/ShortRecordList.tsx'
import { CloseDay, StageBadge } from './kind/DealBadges.tsx'
import classes from './deals.module.css'
import { dealsTable, dealsOfContactQuery } from './kind/queries.ts'

/** The deals of a contact, last changed first. */
export function DealsTab({ contactId }: { contactId: string }) {
  const result = useQuery(dealsOfContactQuery(contactId))
  return (
    <section className={classes['tab']} aria-label="Deals">
      <Button
        variant="default"
        renderRoot={(props) => <Link to="/crm/deals/new" search={{ contact: contactId }} {...props} />}
        leftSection={<IconPlus size={16} stroke={1.75} />}
      >
        Add deal
      </Button>
      <ShortRecordList
        plural="deals"
        result={result}
        linkToAll={
          <Link className="link" to="/crm/deals" search={{ filter: [{ field: 'contact_id', is: [contactId] }], as: 'list' }}>
            All deals with this contact
          </Link>
        }
      >
        {(deal) => (
          <>
            <Link className="link" to="/crm/deals/$id" params={{ id: deal.id }} title={deal.title}>
              {deal.title}
            </Link>
            <RowEnd>
              <CloseDay deal={deal} />
              <span className={classes['value']}>{deal.value !== null && formatMoney(deal.value)}</span>
              <StageBadge stage={deal.stage} />
            </RowEnd>
          </>
        )}
      </ShortRecordList>
    </section>
  )
}

/** The number of deals of a contact, for the label of the tab. */
export const DealsCount = ({ contactId }: { contactId: string }) => (
  <LinkedCount table={dealsTable} route={dealRoutes.count} field="contact_id" id={contactId} />
)
