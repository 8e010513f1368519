import type { Page } from 'playwright-core'

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
