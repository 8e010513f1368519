import { Icon } from '../Icon.tsx'
import { BoardColumn } from './BoardColumn.tsx'
import { BoardRail } from './BoardRail.tsx'
import { DealPanel } from './DealPanel.tsx'
import { board, forecast, inPounds } from './deals.ts'

/** The deals screen as it is, drawn with the application's own values instead of a screenshot: sharp, small, in the reader's theme. */
export function BoardPicture() {
  return (
    <figure className="picture">
      <figcaption className="unseen">The deals board of Foyer: a column for each stage, with its deals as cards and their sum</figcaption>
      <div className="board-screen" inert aria-hidden="true">
        <BoardRail />
        <div className="board-page">
          <BoardTop />
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

function BoardTop() {
  const count = board.reduce((sum, { deals }) => sum + deals.length, 0)
  return (
    <div className="board-top">
      <div className="board-bar">
        <Icon name="burger" />
        <b>Deals</b>
        <span>
          {count}
          <span className="board-forecast"> · forecast {inPounds(forecast)}</span>
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
