// Journeys in a browser that check the texts on the public pages, the sign-in form, the frame and contacts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addContacts, nora, signIn, signUp } from './accounts.ts'
import { connectToBrowser, url } from './shared.ts'

let browser: Browser
let context: BrowserContext
let page: Page
beforeAll(async () => {
  browser = await connectToBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  page = await context.newPage()
})
afterAll(() => browser?.close())

const textsOf = (selector: string) => page.locator(selector).allInnerTexts()
const expectText = (text: string) => page.getByText(text, { exact: true }).first().waitFor()

describe('signed out', () => {
  test('the landing page has six cards, and every button leads to the sign-in form', async () => {
    await page.goto(url)
    await expect
      .poll(() => textsOf('h3'))
      .toEqual([
        'AI-Powered CRM',
        'AI Chat Assistant',
        'Deal Pipeline Management',
        'Contact Management',
        'Email Automation',
        'CRM Integrations',
      ])
    for (const name of ['Sign In', 'Get Started', 'Start Free', 'Create Free Account']) {
      const href = await page.getByRole('link', { name, exact: true }).first().getAttribute('href')
      expect(href, name).toMatch(/^\/auth(\?|$)/)
    }
    const structuredData = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '{}')
    expect(structuredData).toMatchObject({ offers: { price: '0', priceCurrency: 'USD' } })
    expect(structuredData).not.toHaveProperty('aggregateRating')
    await expect.poll(() => page.locator('footer').innerText()).toContain(String(new Date().getFullYear()))
  })

  test('an unknown address shows the not-found page', async () => {
    const response = await page.goto(`${url}/nowhere`)
    expect(response?.status()).toBe(404)
    await expectText('Oops! Page not found')
    await expect.poll(() => page.getByRole('link', { name: /home/i }).first().getAttribute('href')).toBe('/')
  })

  test('the sign-in form shows its labels, its errors and its confirmation', async () => {
    await page.goto(`${url}/auth`)
    await expectText('Welcome Back')
    await page.getByText("Don't have an account? Sign up").waitFor() // appears when the page has read that sign-up is open
    await page.getByText('Sign up', { exact: true }).click()
    await expectText('Create Account')
    await page.getByText('Already have an account? Sign in').waitFor()
    await page.getByLabel('Full Name').fill(nora.name)
    await page.getByLabel('Email').fill(nora.email)
    await page.getByLabel('Password', { exact: true }).fill('12345')
    await page.keyboard.press('Enter')
    await page
      .getByText(/at least 6 characters/i)
      .first()
      .waitFor()
    await page.getByLabel('Password', { exact: true }).fill(nora.password)
    await page.keyboard.press('Enter')
    await expectText('Success!')
    await expectText('Account created successfully. You can now sign in.')
    await page.getByLabel('Email').fill('stranger@example.org')
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.keyboard.press('Enter')
    await expectText('Error')
    await expectText('Invalid login credentials')
  })
})

describe('signed in', () => {
  let id: string
  beforeAll(async () => {
    await signUp(url, { ...nora, email: 'second@larkfield.example' })
    await signIn(page, url, { ...nora, email: 'second@larkfield.example' })
    ;[id = ''] = await addContacts(page, url, [{ first_name: 'Imara', last_name: 'Vantongeren' }])
  })

  test('the dashboard greets the user', async () => {
    await page.context().clearCookies()
    await signIn(page, url, { ...nora, email: 'second@larkfield.example' })
    await expectText('Welcome back!')
    await expectText('You have been signed in successfully.')
  })

  test('the sidebar has its groups, can be collapsed with the keyboard and stays collapsed for seven days', async () => {
    await page.goto(`${url}/crm/contacts`)
    const entry = page.getByRole('link', { name: 'Contacts', exact: true }).first()
    await entry.waitFor()
    await page.getByRole('button', { name: 'CRM' }).waitFor()
    const readWidth = async (): Promise<number> => (await entry.boundingBox())?.width ?? 0
    await expect.poll(readWidth).toBeGreaterThan(200)
    await page.keyboard.press('Control+b')
    await expect.poll(readWidth).toBeLessThan(48)
    const cookie = (await context.cookies()).find(({ name }) => name === 'sidebar')
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(6.9 * 86_400)
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeLessThan(7.1 * 86_400)
    await page.keyboard.press('Control+b')
  })

  test('the list of contacts has the specified columns', async () => {
    await page.goto(`${url}/crm/contacts`)
    await page.getByRole('link', { name: 'Imara Vantongeren' }).waitFor()
    const headers = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '')
    expect(headers).toEqual(['Name', 'Email', 'Phone', 'Company', 'Title', 'Notes', 'Actions'])
  })

  test('the contact form has its sections, its lead sources and a link back', async () => {
    await page.goto(`${url}/crm/contacts/new`)
    await page.getByLabel('First name').waitFor()
    for (const section of [
      'Basic Information',
      'Contact Details',
      'Professional Information',
      'Mailing Address',
      'Additional Information',
    ]) {
      await expectText(section)
    }
    await page
      .getByLabel(/^Lead source/)
      .first()
      .click()
    for (const source of ['Web', 'Phone Inquiry', 'Partner Referral', 'Purchased List', 'Other']) {
      await page.getByRole('option', { name: source, exact: true }).waitFor()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL('**/crm/contacts')
  })

  test('an empty field of a contact is shown as a dash', async () => {
    await page.goto(`${url}/crm/contacts/${id}`)
    await page.getByRole('heading', { name: 'Imara Vantongeren' }).waitFor()
    await page.getByRole('button', { name: /^Show \d+ empty fields$/ }).click()
    await expect.poll(() => page.getByText('-', { exact: true }).count()).toBeGreaterThan(4)
    await page
      .getByRole('link', { name: 'Edit contact' })
      .or(page.getByRole('button', { name: 'Edit contact' }))
      .first()
      .waitFor()
  })

  test('a contact that cannot be loaded for editing shows an error and a link back to the list', async () => {
    await page.goto(`${url}/crm/contacts/edit/01930000-0000-7000-8000-00000000ffff`)
    await page.waitForURL('**/crm/contacts')
    await expectText('Error')
  })

  test('signing out is confirmed', async () => {
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.waitForURL('**/auth**')
    await expectText('Signed out')
  })
})
