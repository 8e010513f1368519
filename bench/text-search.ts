// Measures how fast the list of files and the command palette find words in the texts of documents. Compares these searches with the first
// page of the list of files, which is read without a search.
import * as z from 'zod/mini'
import { sendJson, type Server } from './file-client.ts'
import { measureLatency, type Latency } from './latency.ts'
import type { CpuTimes } from './process-usage.ts'
import type { TextOwner } from './text-owner.ts'

/**
 * The latency of one client and the CPU time of a request. `ratio` is the CPU time of the search divided by the CPU time of the first page
 * of the list without a search.
 */
export type SearchTiming = { name: string; where: string; hits: number; latency: Latency; cpuMs: number; ratio: number }

export const searchGoalMs = 60

/** The response of a list has `rows`, the response of the palette has `hits`. */
const SearchResponse = z.union([z.object({ rows: z.array(z.unknown()) }), z.object({ hits: z.array(z.unknown()) })])

/** The requests that search: two sorts of the list of files, and the palette. `&search=...` is added to the path. */
const places = [
  { where: 'newest first', path: '/api/files?sort=newest&limit=50' },
  { where: 'by name', path: '/api/files?sort=file_name&order=asc&limit=50' },
  { where: 'palette', path: '/api/search?' },
] as const

/** Sends one request at a time. A list without a search is measured before its searches. */
export async function measureSearches(
  server: Server,
  { searches }: TextOwner,
  readCpu: () => CpuTimes | undefined,
): Promise<SearchTiming[]> {
  const timings: SearchTiming[] = []
  for (const { where, path } of places) {
    console.error(`Measuring searches, ${where} ...`)
    const listPath = where === 'palette' ? places[0].path : path // the palette has no list; the first list is used instead
    const listCpuMs = (await measure(server, listPath, readCpu)).cpuMs
    for (const [name, search] of Object.entries(searches)) {
      const searchTiming = await measure(server, `${path}&search=${encodeURIComponent(search)}`, readCpu)
      timings.push({ name, where, ...searchTiming, ratio: searchTiming.cpuMs / listCpuMs })
    }
  }
  return timings
}

const requests = 100

async function measure(server: Server, path: string, readCpu: () => CpuTimes | undefined) {
  const response = SearchResponse.parse(await sendJson(server, 'GET', path))
  const before = readCpu()
  const latency = await measureLatency(requests, () => sendJson(server, 'GET', path))
  const after = readCpu()
  const cpuMs = before && after ? (after.nodeMs + after.postgresMs - before.nodeMs - before.postgresMs) / requests : NaN
  return { hits: 'rows' in response ? response.rows.length : response.hits.length, latency, cpuMs }
}
