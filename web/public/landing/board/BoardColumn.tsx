import { Icon } from '../Icon.tsx'
import { type board, inPounds, openedDeal, sumOf } from './deals.ts'
import { Person } from './Person.tsx'

type Column = (typeof board)[number]

export function BoardColumn({ stage, label, probability, deals }: Column) {
  return (
    <div className="board-column" data-stage={stage}>
      <div className="board-head">
        <b>{label}</b>
        <span>{deals.length}</span>
        <span className="board-sum">{inPounds(sumOf(deals))}</span>
      </div>
      {deals.map((deal) => (
        <DealCard key={deal.title} {...deal} />
      ))}
      {probability > 0 && (
        <span className="board-more">
          <Icon name="plus" />
          Add deal
        </span>
      )}
    </div>
  )
}

function DealCard({ title, company, pounds, closes, late, person, tone }: Column['deals'][number]) {
  return (
    <div className={title === openedDeal ? 'deal deal-opened' : 'deal'}>
      <b>{title}</b>
      <span className="deal-company">{company}</span>
      <div className="deal-foot">
        <b>{inPounds(pounds)}</b>
        <span className={late ? 'deal-date deal-late' : 'deal-date'}>
          {late && <Icon name="clock" />}
          {closes}
        </span>
        <Person tone={tone}>{person}</Person>
      </div>
    </div>
  )
}
