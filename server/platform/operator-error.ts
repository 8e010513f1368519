/** What keeps a task of the operator's from being done and what they can mend: its message is printed alone, without a stack. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Runs a task of the operator's, the start of the server included. A reason that they can mend is printed, and the process exits with 1. */
export async function runTask(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
