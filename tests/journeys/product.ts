import { mkdtempSync, rmSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { run, type Running } from './browser.ts'

/** The product as people start it, on a data folder of its own that goes with it. */
export async function startProduct(env: Record<string, string> = {}): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-journey-'))
  chmodSync(folder, 0o711) // started by root, the database's account must get in
  const product = await run('server/main.ts', { FOYER_DATA: join(folder, 'data'), FOYER_LOG: 'warn', ...env })
  return {
    ...product,
    stop: async () => {
      const code = await product.stop()
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  }
}

export const nora = { name: 'Nora Ellisande', email: 'nora@larkfield.example', password: 'oak and ash' }

/** Makes the account through the API, for journeys that are about something else than signing up. */
export async function signUp(url: string, person = nora): Promise<void> {
  const body = JSON.stringify({ full_name: person.name, email: person.email, password: person.password, timezone: 'Europe/London' })
  const answer = await fetch(`${url}/api/users`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Signs in on the card, by keyboard. */
export async function signIn(page: Page, url: string, person = nora): Promise<void> {
  await page.goto(`${url}/auth`)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
}

/** Adds contacts through the API in the name of the page's session; answers their ids. */
export async function addContacts(page: Page, url: string, contacts: Record<string, string>[]): Promise<string[]> {
  const ids: string[] = []
  for (const contact of contacts) {
    const answer = await page.request.post(`${url}/api/contacts`, { data: contact, headers: { origin: url } })
    if (!answer.ok()) throw new Error(await answer.text())
    const { id }: { id: string } = await answer.json()
    ids.push(id)
  }
  return ids
}
