import { Loader } from '@mantine/core'
import classes from './Preview.module.css'

/** Shown while a file, the code of a view or the content of a view is being loaded. */
export const Loading = () => (
  <output className={classes['loading']} aria-label="Loading">
    <Loader size="sm" />
  </output>
)
