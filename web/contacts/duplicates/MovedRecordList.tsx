import type { MovedRecords } from '#contract/duplicates.ts'
import { featureRegistry } from '#web/lib/features.ts'
import { formatCount } from '#web/lib/format.ts'
import classes from './MergeView.module.css'

/** The records that refer to the other contact and that the merge moves to the merged contact: "3 deals". */
export function MovedRecordList({ moves, name }: { moves: readonly MovedRecords[]; name: string }) {
  if (moves.length === 0) return null
  return (
    <section className={classes['moves']} aria-labelledby="moves">
      <h3 id="moves" dir="auto">
        Moves to {name}
      </h3>
      <ul>
        {moves.map(({ singular, plural, count, titles }) => {
          const Icon = featureRegistry.get().records.find((kind) => kind.singular === singular)?.icon
          return (
            <li key={singular}>
              <span className={classes['icon']}>{Icon && <Icon size={16} stroke={1.75} />}</span>
              <span className={classes['count']}>{formatCount(count, singular, plural)}</span>
              <span className={classes['titles']} dir="auto" title={titles.join(', ')}>
                {titles.join(', ')}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
