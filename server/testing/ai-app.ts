import { startAiServer, type AiServer, type AiServerOptions } from './ai-server.ts'
import { openTestApp, type TestApp } from './app.ts'

type Options = Parameters<typeof openTestApp>[0]

/** Opens the application with the stand-in of an AI endpoint, as the connection that the operator has set for all owners. */
export async function openTestAppWithAi(options: Options = {}, aiOptions: AiServerOptions = {}): Promise<{ app: TestApp; ai: AiServer }> {
  const ai = await startAiServer(aiOptions)
  const { baseUrl } = ai
  const connection = { baseUrl, key: undefined, model: 'small', imageModel: 'painter', inputPrice: 1, outputPrice: 2 }
  const app = await openTestApp({ ai: { connection, maxTokensPerDay: undefined }, ...options })
  const stop = async (): Promise<void> => {
    await app.stop()
    await ai[Symbol.asyncDispose]()
  }
  return { app: { ...app, stop }, ai }
}
