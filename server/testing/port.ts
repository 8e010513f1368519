import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free port of this machine, between 10,000 and 31,999. Systems take the ports of outgoing connections from above that range
 * (Linux from 32,768 on), so the port is still free when a server is started on it much later.
 */
export async function findFreePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return findFreePort() // another program listens on this port
  }
  await new Promise((resolve) => server.close(resolve))
  return port
}
