import type { ReactNode } from 'react'
import { Warning } from '#web/ui/Warning.tsx'
import classes from './AiSettings.module.css'

/** Says below the form why the connection does not work, was not saved or could not be tested. */
export const ConnectionProblem = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes['problem']}>
    <Warning title={title}>{children}</Warning>
  </div>
)
