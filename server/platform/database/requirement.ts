import { errorCode } from '#server/platform/error-code.ts'
import { sql } from './database.ts'

/** The code of the error of the SQL function `app.require`. */
const unmetCode = 'FY004'

/**
 * A condition in SQL, with placeholders for its values. `reason` says in words what must be true; callers compare it to find out which
 * condition failed. `condition` and `reason` are constants of the code.
 */
export type Requirement = { condition: string; values: unknown[]; reason: string }

/**
 * Rolls back the open transaction if one of the conditions is not true at this point. So a batch can contain writes that are only
 * allowed while the conditions are true. All conditions are checked by one statement, and all statements of a batch reject with the error
 * of the first one that fails.
 */
export async function requireTrue(...requirements: Requirement[]): Promise<void> {
  const values: unknown[] = []
  const checks = requirements.map(({ condition, values: own, reason }) => {
    const first = values.length
    values.push(...own)
    const renumbered = condition.replaceAll(/\$(\d+)/g, (_placeholder, number: string) => `$${first + Number(number)}`)
    return `app.require(${renumbered}, '${reason}')`
  })
  await sql(`select ${checks.join(', ')}`, values)
}

/** Returns the reason of the condition that was not true; undefined for other errors. */
export const unmetReason = (error: unknown): string | undefined =>
  errorCode(error) === unmetCode && error instanceof Error ? error.message : undefined
