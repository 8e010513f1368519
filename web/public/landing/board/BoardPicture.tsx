import { Logo } from '../../Header.tsx'
import { Icon, type IconName } from '../Icon.tsx'
import { Avatar } from './Avatar.tsx'
import { DealPanel } from './DealPanel.tsx'
import { board, forecast, formatPounds, openedDeal, sumValues } from './deals.ts'

type Column = (typeof board)[number]

/** A picture of the deal board, made of HTML. HTML is sharper and smaller than a screenshot, and follows the colour scheme. */
export function BoardPicture() {
  return (
    <figure className="picture">
      <figcaption className="screen-reader-only">
        The deals board of Foyer: a column for each stage, with its deals as cards and their sum
      </figcaption>
      <div className="board-screen" inert aria-hidden="true">
        <CollapsedSidebar />
        <div className="board-page">
          <PageBarAndToolbar />
          <div className="board-columns">
            {board.map((column) => (
              <BoardColumn key={column.stage} {...column} />
            ))}
          </div>
          <DealPanel />
        </div>
      </div>
    </figure>
  )
}

/** The icons in the collapsed sidebar, in their groups. */
const sidebarGroups: IconName[][] = [
  ['dashboard', 'sparkles', 'folder', 'form', 'mailBolt', 'key'],
  ['people', 'building', 'target', 'checkbox', 'gear'],
  ['calendar', 'chain'],
  ['plug', 'messages', 'robot'],
]

/** The collapsed sidebar, with Deals as the current page. */
function CollapsedSidebar() {
  return (
    <div className="rail">
      <Logo />
      <span className="rail-search">
        <Icon name="search" />
      </span>
      {sidebarGroups.map((icons) => (
        <div className="rail-group" key={icons[0]}>
          {icons.map((name) => (
            <span key={name} className={name === 'target' ? 'rail-current' : undefined}>
              <Icon name={name} />
            </span>
          ))}
        </div>
      ))}
      <div className="rail-foot">
        <Icon name="leave" />
        <Avatar colourIndex={4}>NE</Avatar>
      </div>
    </div>
  )
}

/** The bar with the title of the page, and below it the toolbar with the search. */
function PageBarAndToolbar() {
  const count = board.reduce((sum, { deals }) => sum + deals.length, 0)
  return (
    <div className="board-top">
      <div className="board-bar">
        <Icon name="burger" />
        <b>Deals</b>
        <span>
          {count}
          <span className="board-forecast"> · forecast {formatPounds(forecast)}</span>
        </span>
        <i className="board-add">
          <Icon name="plus" />
        </i>
      </div>
      <div className="board-tools">
        <span className="board-search">
          <Icon name="search" />
          Search deals
        </span>
        <Icon name="filter" />
        Filter
      </div>
    </div>
  )
}

function BoardColumn({ stage, label, probability, deals }: Column) {
  return (
    <div className="board-column" data-stage={stage}>
      <div className="board-head">
        <b>{label}</b>
        <span>{deals.length}</span>
        <span className="board-sum">{formatPounds(sumValues(deals))}</span>
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

function DealCard({ title, company, value, closeDate, isLate, initials, colourIndex }: Column['deals'][number]) {
  return (
    <div className={title === openedDeal ? 'deal deal-opened' : 'deal'}>
      <b>{title}</b>
      <span className="deal-company">{company}</span>
      <div className="deal-foot">
        <b>{formatPounds(value)}</b>
        <span className={isLate ? 'deal-date deal-late' : 'deal-date'}>
          {isLate && <Icon name="clock" />}
          {closeDate}
        </span>
        <Avatar colourIndex={colourIndex}>{initials}</Avatar>
      </div>
    </div>
  )
}
