import { stages } from '#contract/stages.ts'
import { getStageColour } from '../kind/stages.ts'
import classes from './board.module.css'

const heights = [[86, 104, 86], [86, 86], [104, 86, 86], [86, 104], [86, 86, 104], [86]]

/** The columns while the board is loading. */
export const BoardSkeleton = () => (
  <output className={classes['board']} aria-label="Loading">
    {stages.map((stage, column) => (
      <span key={stage} className={classes['column']}>
        <span className={classes['head']} style={{ borderTopColor: getStageColour(stage) }}>
          <span className={classes['bar']} />
        </span>
        <SkeletonCards heights={heights[column] ?? []} />
      </span>
    ))}
  </output>
)

export const SkeletonCards = ({ heights: cardHeights }: { heights: readonly number[] }) =>
  cardHeights.map((height, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- they never change their order
    <span key={index} className={classes['waiting']} style={{ height }} aria-hidden />
  ))
