import { memo, type Ref } from 'react'
import type { DealRow } from '#contract/deals.ts'
import { formatMoney } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { CloseDay } from '../kind/DealBadges.tsx'
import classes from './board.module.css'

type CardProps = {
  deal: DealRow
  /** True for the card of the keyboard cursor, which Tab focuses. */
  isCurrent: boolean
  /** True while the panel of the deal is open. */
  isOpened: boolean
  /** True while the card is moved by keyboard. */
  isLifted: boolean
  /** True while a copy of the card is moved by mouse or touch. */
  isDragged: boolean
}

/** The card of a deal, which is a link to the panel of the deal. The board handles the events of the card. */
export const Card = memo(DealCard)

function DealCard({ deal, isCurrent, isOpened, isLifted, isDragged }: CardProps) {
  return (
    <a
      className={classes['card']}
      href={`/crm/deals/${deal.id}`}
      draggable={false}
      tabIndex={isCurrent ? 0 : -1}
      data-deal={deal.id}
      data-opened={isOpened || undefined}
      data-lifted={isLifted || undefined}
      data-dragging={isDragged || undefined}
      aria-describedby="board-keys"
    >
      <CardContent deal={deal} />
    </a>
  )
}

/** The copy of the dragged card, which follows the pointer. `data-lifted` gives it the look of a card that is moved by keyboard. */
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
      <span className={classes['title']} dir="auto" title={title}>
        {title}
      </span>
      {company_name && (
        <span className={classes['company']} dir="auto">
          {company_name}
        </span>
      )}
      <span className={classes['facts']}>
        <span className={classes['value']}>{value !== null && formatMoney(value)}</span>
        <span className={classes['beside']}>
          <CloseDay deal={deal} />
          {contact_id && (
            <span title={contact_name}>
              <Avatar id={contact_id} name={contact_name} size={20} />
              <span className={classes['screenReaderOnly']}>{contact_name}</span>
            </span>
          )}
        </span>
      </span>
    </>
  )
}
