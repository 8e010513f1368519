import { stages } from '#contract/stages.ts'
import { getStageColour } from '../kind/stages.ts'
import classes from './board.module.css'

/** The heights of the placeholder cards in each column, in px. */
const cardHeights = [[86, 104, 86], [86, 86], [104, 86, 86], [86, 104], [86, 86, 104], [86]]

/** The placeholder columns while the board is loading. */
export const BoardSkeleton = () => (
  <output className={classes['board']} aria-label="Loading">
    {stages.map((stage, index) => (
      <span key={stage} className={classes['column']}>
        <span className={classes['head']} style={{ borderTopColor: getStageColour(stage) }}>
          <span className={classes['bar']} />
        </span>
        <SkeletonCards heights={cardHeights[index] ?? []} />
      </span>
    ))}
  </output>
)

export const SkeletonCards = ({ heights }: { heights: readonly number[] }) =>
  heights.map((height, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the cards never change their order
    <span key={index} className={classes['waiting']} style={{ height }} aria-hidden />
  ))
