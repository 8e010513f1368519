import { Link } from '@tanstack/react-router'
import classes from './FilesTabs.module.css'

/** Links to all files and to the newest files. */
export const FilesTabs = () => (
  <nav className={classes['tabs']} aria-label="Files">
    <Link to="/files" activeOptions={{ exact: true, includeSearch: false }} className={classes['tab']}>
      All files
    </Link>
    <Link to="/files/recent" className={classes['tab']}>
      Recent
    </Link>
    <Link to="/trash" className={`${classes['tab']} ${classes['trash']}`}>
      Trash
    </Link>
  </nav>
)
