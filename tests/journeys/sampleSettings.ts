import type { APIRequestContext, Page } from 'playwright-core'
import type { Screen } from './screen.ts'

/** Adds a webhook endpoint with a test that cannot be delivered. Returns its id. */
export async function addSampleWebhook(request: APIRequestContext, url: string): Promise<string> {
  const post = async (path: string, data: object): Promise<{ id: string }> => {
    const response = await request.post(`${url}/api/webhooks${path}`, { data, headers: { origin: url } })
    if (!response.ok()) throw new Error(await response.text())
    return response.json()
  }
  // nothing listens at port 9
  const { id } = await post('', { url: 'http://127.0.0.1:9/webhook', description: 'Newsletter' })
  await post(`/${id}/test`, {})
  return id
}

const text = (shown: string) => (page: Page) => page.getByText(shown).first().waitFor()

/** The settings screens of API keys, webhooks and the outbox. `webhook` returns the id of a webhook endpoint. */
export const settingsScreens = (webhook: () => string): Record<string, Screen> => ({
  'API keys': { path: () => '/api-keys', waitForContent: text('No API keys yet.') },
  webhooks: { path: () => '/api-keys/webhooks', waitForContent: text('Newsletter') },
  webhook: { path: () => `/api-keys/webhooks/${webhook()}`, waitForContent: text('will be sent again') },
  outbox: { path: () => '/account/outbox', waitForContent: (page) => page.getByRole('heading', { name: 'Mails', exact: true }).waitFor() },
})
