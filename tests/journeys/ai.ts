import type { APIRequestContext } from 'playwright-core'
import { afterAll } from 'vitest'
import { startAiServer, type AiServer, type AiServerOptions } from '#server/testing/ai-server.ts'

/**
 * Starts the stand-in of an AI endpoint, and connects the signed-in user to it. Each test file has its own stand-in, so that it decides the
 * replies; users of other files have no AI. The stand-in stops after the file.
 */
export async function connectAi(request: APIRequestContext, url: string, options?: AiServerOptions): Promise<AiServer> {
  const ai = await startAiServer(options)
  afterAll(() => ai[Symbol.asyncDispose]())
  const connection = { base_url: ai.baseUrl, model: 'small', image_model: 'painter' }
  const response = await request.put(`${url}/api/ai`, { headers: { origin: url }, data: connection })
  if (!response.ok()) throw new Error(await response.text())
  return ai
}
