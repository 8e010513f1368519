import classes from './charts.module.css'
import type { Series } from './ChartColumn.tsx'

/** Which colour stands for what. */
export const ChartLegend = ({ series }: { series: readonly Series[] }) => (
  <ul className={classes['legend']}>
    {series.map(({ name, label, colour }) => (
      <li key={name}>
        <i style={{ background: colour }} />
        {label}
      </li>
    ))}
  </ul>
)
