// The AI port: everything that the server asks of AI endpoints. Only this folder imports the AI SDK (docs/decisions/0024-ai-port.md).
import type { LookupFunction } from 'node:net'
import { createOutboundFetch, hostWithPort } from '../outbound/outbound.ts'
import { complete } from './complete.ts'
import { extract } from './extract.ts'
import { generate } from './generate.ts'
import { makeImage } from './make-image.ts'
import { createLocalServers, listModels, wellKnownServers, type LocalServer } from './models.ts'
import { probe } from './probe.ts'
import { withoutRefusedTemperature } from './temperature.ts'
import type { Ai } from './types.ts'

export type AiOptions = {
  /** The hosts, such as `ollama` or `192.168.1.5:8080`, that need not be public. */
  allowedHosts: readonly string[]
  /** The address that the operator has set, which need not be public either. */
  operatorUrl?: string
  /** Where to look for AI servers on this machine, by default at their default addresses. */
  localServers?: readonly LocalServer[]
  /** Finds the addresses of a name, by default with the system's resolver. */
  lookup?: LookupFunction
}

/** Creates the AI port. It connects to nothing until it is used. */
export function createAi({ allowedHosts, operatorUrl, localServers = wellKnownServers, lookup }: AiOptions): Ai {
  const hostsOf = (urls: readonly string[]): string[] => urls.map((url) => hostWithPort(new URL(url)))
  const local = createLocalServers(createOutboundFetch({ allowedHosts: hostsOf(localServers.map(({ baseUrl }) => baseUrl)) }), localServers)
  const operatorHosts = operatorUrl === undefined ? [] : hostsOf([operatorUrl])
  const endpoint = withoutRefusedTemperature(
    createOutboundFetch({ allowedHosts: [...allowedHosts, ...operatorHosts], isAllowed: local.isFound, lookup }),
  )
  const fetches = { endpoint, outbound: createOutboundFetch({ allowedHosts, lookup }) }
  return {
    generate: (connection, request) => generate(endpoint, connection, request),
    complete: (connection, request) => complete(endpoint, connection, request),
    extract: (connection, request) => extract(endpoint, connection, request),
    makeImage: (connection, request) => makeImage(fetches, connection, request),
    listModels: (connection) => listModels(endpoint, connection),
    probe: (connection) => probe(fetches, connection),
    findLocalServers: local.find,
  }
}
