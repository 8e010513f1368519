import type { FastifyInstance } from 'fastify'
import { errorCode } from '#server/platform/error-code.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/** Listens on the host and port of the settings. Throws an `OperatorError` that says why this is not possible. */
export async function listen(server: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const sentence = explain(errorCode(error), host, port)
    throw sentence === undefined ? error : new OperatorError(sentence, { cause: error })
  }
}

/** Returns the sentence for an error code of Node; undefined for other codes. */
function explain(code: string, host: string, port: number): string | undefined {
  const remedy = 'set HOST to a name or an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.'
  if (code === 'EADDRINUSE') return `Another program uses the port ${port} on ${host}: stop that program, or set PORT to another port.`
  if (code === 'EACCES') return `This account may not listen on the port ${port}: set PORT to 1024 or more.`
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine: ${remedy}`
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? `The host ${host} was not found: ${remedy}` : undefined
}
