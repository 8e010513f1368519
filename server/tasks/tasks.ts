// Tasks: what other rooms may know of them.
import { tasks } from './kind.ts'

/** What a row of tasks shows, of `c`. */
export const taskRowColumns = tasks.rowColumns
