import * as z from 'zod/mini'
import { sendJson, type Server } from './file-client.ts'
import { measureLatency, type Latency } from './latency.ts'

/** The latency of a page of 50 files for one sort and order. `first` is the first page, `middle` a page in the middle of the folder. */
export type ListTiming = { sort: string; order: string; first: Latency; middle: Latency }

const requests = 100
/** The number of pages of 200 files before the page in the middle. */
const pagesBefore = 250

const Page = z.object({ rows: z.array(z.unknown()), next: z.nullable(z.string()) })

/** Measures the list of the files of a folder in every sort, in both orders. For the sort `newest` both orders give the same list. */
export async function measureLists(server: Server, folder: string): Promise<ListTiming[]> {
  const timings: ListTiming[] = []
  for (const sort of ['newest', 'file_name', 'file_size'])
    for (const order of ['asc', 'desc']) {
      console.error(`Measuring the list by ${sort} ${order} ...`)
      /** Reads the page after the cursor `after`. Returns the cursor of the next page. */
      const read = async (limit: number, after: string | null): Promise<string | null> => {
        const filter = JSON.stringify([{ field: 'folder_id', is: [folder] }])
        const query = new URLSearchParams({ sort, order, limit: String(limit), filter, ...(after !== null && { after }) })
        return Page.parse(await sendJson(server, 'GET', `/api/files?${query.toString()}`)).next
      }
      let middleCursor: string | null = null
      for (let page = 0; page < pagesBefore; page++) middleCursor = await read(200, middleCursor)
      if (middleCursor === null) throw new Error('The folder has too few files')
      timings.push({
        sort,
        order,
        first: await measureLatency(requests, () => read(50, null)),
        middle: await measureLatency(requests, () => read(50, middleCursor)),
      })
    }
  return timings
}
