import { stages } from '#contract/stages.ts'
import { stageColour } from '../kind/stages.ts'
import classes from './board.module.css'

const heights = [[86, 104, 86], [86, 86], [104, 86, 86], [86, 104], [86, 86, 104], [86]]

/** Columns whose cards are on their way, in the final size. */
export const BoardSkeleton = () => (
  <output className={classes['board']} aria-label="Loading">
    {stages.map((stage, column) => (
      <span key={stage} className={classes['column']}>
        <span className={classes['head']} style={{ borderTopColor: stageColour(stage) }}>
          <span className={classes['bar']} />
        </span>
        <WaitingCards heights={heights[column] ?? []} />
      </span>
    ))}
  </output>
)

export const WaitingCards = ({ heights: each }: { heights: readonly number[] }) =>
  each.map((height, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- nothing tells them apart
    <span key={index} className={classes['waiting']} style={{ height }} aria-hidden />
  ))
