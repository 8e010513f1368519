import { memo, type Ref } from 'react'
import type { DealRow } from '#contract/deals.ts'
import { formatMoney } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { CloseDay } from '../kind/DealBadges.tsx'
import classes from './board.module.css'

type CardProps = {
  deal: DealRow
  /** The card that Tab focuses. */
  current: boolean
  /** Its panel is open. */
  opened: boolean
  lifted: boolean
  /** A copy of it is under the pointer. */
  dragged: boolean
}

/** A deal on the board: a link to its panel. The board handles its events. */
export const Card = memo(function DrawnCard({ deal, current, opened, lifted, dragged }: CardProps) {
  return (
    <a
      className={classes['card']}
      href={`/crm/deals/${deal.id}`}
      draggable={false}
      tabIndex={current ? 0 : -1}
      data-deal={deal.id}
      data-opened={opened || undefined}
      data-lifted={lifted || undefined}
      data-dragging={dragged || undefined}
      aria-describedby="board-keys"
    >
      <CardContent deal={deal} />
    </a>
  )
})

/** The card under the pointer while it is dragged. */
export const DraggedCard = ({ deal, width, cardRef }: { deal: DealRow; width: number; cardRef: Ref<HTMLDivElement> }) => (
  <div ref={cardRef} className={classes['overlay']} data-overlay style={{ width }} aria-hidden>
    <div className={classes['card']} data-lifted>
      <CardContent deal={deal} />
    </div>
  </div>
)

function CardContent({ deal }: { deal: DealRow }) {
  const { title, company_name, contact_id, contact_name, value } = deal
  return (
    <>
      <span className={classes['title']} title={title}>
        {title}
      </span>
      {company_name && <span className={classes['company']}>{company_name}</span>}
      <span className={classes['facts']}>
        <span className={classes['value']}>{value !== null && formatMoney(value)}</span>
        <span className={classes['beside']}>
          <CloseDay deal={deal} />
          {contact_id && (
            <span title={contact_name}>
              <Avatar id={contact_id} name={contact_name} size={20} />
              <span className={classes['unseen']}>{contact_name}</span>
            </span>
          )}
        </span>
      </span>
    </>
  )
}
