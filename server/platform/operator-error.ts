/** A failure that the operator can correct. Its message explains how, and is printed without a stack trace. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** Runs a command of the operator, such as the start of the server. On an `OperatorError`, prints its message and exits with code 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
