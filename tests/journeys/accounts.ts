import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from 'playwright-core'

export const makeEmail = (): string => `nora-${randomUUID().slice(0, 8)}@larkfield.example`

/** The user of a test file. `newUser.ts` gives each file a different email, because all files share one product. */
export const nora = { name: 'Nora Ellisande', email: makeEmail(), password: 'oak and ash' }

/** Creates an account through the API. The forwarded address is random, because sign-ups are limited by network address. */
export async function signUp(url: string, account = nora): Promise<void> {
  const body = JSON.stringify({ full_name: account.name, email: account.email, password: account.password, timezone: 'Europe/London' })
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${randomByte()}.${randomByte()}` }
  const response = await fetch(`${url}/api/users`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
}

const randomByte = (): number => Math.floor(Math.random() * 256)

/** Signs in through the API. The session's cookie is stored in the browser context of `request`. */
export async function signIn(request: APIRequestContext, url: string, { email, password } = nora): Promise<void> {
  const response = await request.post(`${url}/api/session`, { data: { email, password }, headers: { origin: url } })
  if (!response.ok()) throw new Error(await response.text())
}

/** Adds contacts through the API with the session of the page; returns their ids. */
export async function addContacts(page: Page, url: string, contacts: Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = []
  for (const contact of contacts) {
    const response = await page.request.post(`${url}/api/contacts`, { data: contact, headers: { origin: url } })
    if (!response.ok()) throw new Error(await response.text())
    const { id }: { id: string } = await response.json()
    ids.push(id)
  }
  return ids
}
