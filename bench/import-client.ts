import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { Import } from '#contract/imports.ts'

export type RunningImport = {
  /** Resolves when the import has finished or was stopped; rejects when it has failed. */
  ended: Promise<void>
  stop: () => Promise<void>
  /** Undoes the import. Resolves when the undo has finished. */
  undo: () => Promise<void>
}

const Progress = z.object({ id: z.uuid(), progress: z.nullable(z.object({ finished: z.boolean() })) })

/** Uploads a file and starts its import. */
export async function startImport(url: string, token: string, file: string): Promise<RunningImport> {
  const send = async (method: string, path: string, body?: string, type = 'application/json'): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) }
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  const { id } = Import.parse(await send('POST', '/api/imports?file_name=people.csv', file, 'text/csv'))
  const { change_id: change } = Import.parse(await send('POST', `/api/imports/${id}/start`, JSON.stringify({ mode: 'both' })))
  const waitForEnd = async (): Promise<void> => {
    for (;;) {
      const { status, problem } = Import.parse(await send('GET', `/api/imports/${id}`))
      if (status === 'failed') throw new Error(problem)
      if (status !== 'running') return
      await sleep(100)
    }
  }
  return {
    ended: waitForEnd(),
    stop: async () => void (await send('POST', `/api/imports/${id}/stop`)),
    undo: async () => {
      const undo = Progress.parse(await send('POST', `/api/changes/${change}/undo`))
      while (!Progress.parse(await send('GET', `/api/changes/${undo.id}`)).progress?.finished) await sleep(20)
    },
  }
}
