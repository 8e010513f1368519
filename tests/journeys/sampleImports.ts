import { setTimeout as sleep } from 'node:timers/promises'
import type { APIRequestContext } from 'playwright-core'
import type { Screen } from './screen.ts'

/** The ids of an import that was not started, and of one that has ended. */
export type SampleImports = { waiting: string; finished: string }

const rows = [
  'First Name,Last Name,Email,Company Name,Favourite wood,A column with a name that goes on and on and on',
  'Liesel,Abernethwaite,liesel@coldharbour.example,Coldharbour Yoga,Oak,yes',
  'Rufus,Delacombe,rufus@gristmill.example,Gristmill Coffee,Ash,no',
  ',,none,,,',
]

/** Uploads two files with contacts through the API, and imports one of them. Returns the ids of the imports. */
export async function addSampleImports(request: APIRequestContext, url: string): Promise<SampleImports> {
  const headers = { origin: url }
  const read = async (id: string): Promise<{ status: string }> => (await request.get(`${url}/api/imports/${id}`)).json()
  const upload = async (name: string): Promise<string> => {
    const response = await request.post(`${url}/api/imports?${new URLSearchParams({ file_name: name }).toString()}`, {
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      data: Buffer.from(rows.join('\n')),
    })
    if (!response.ok()) throw new Error(await response.text())
    return (await response.json()).id
  }
  const finished = await upload('workshop-contacts.csv')
  await request.post(`${url}/api/imports/${finished}/start`, { headers, data: { mode: 'both' } })
  while ((await read(finished)).status === 'running') await sleep(50)
  return { finished, waiting: await upload(`${'a-file-with-a-long-name-'.repeat(5)}.csv`) }
}

/** The screens of the import. `getImports` is called when a screen is opened. */
export const importScreens = (getImports: () => SampleImports): Record<string, Screen> => ({
  'file to import': {
    opensOverlay: true,
    path: () => '/crm/contacts',
    waitForContent: async (page) => {
      await page.getByRole('button', { name: 'Import contacts' }).click()
      await page.getByRole('dialog', { name: 'Import Contacts' }).getByText('Choose a file or drop it here').waitFor()
    },
  },
  'columns of an import': {
    path: () => `/crm/imports/${getImports().waiting}`,
    waitForContent: (page) => page.getByRole('combobox', { name: 'Field for Favourite wood' }).waitFor(),
  },
  'first rows of an import': {
    path: () => `/crm/imports/${getImports().waiting}`,
    waitForContent: async (page) => {
      await page.getByRole('button', { name: /^First rows/ }).click()
      await page.getByText('Liesel Abernethwaite').waitFor()
    },
  },
  'result of an import': {
    path: () => `/crm/imports/${getImports().finished}`,
    waitForContent: (page) => page.getByText('Line 4').first().waitFor(),
  },
  imports: { path: () => '/crm/imports', waitForContent: (page) => page.getByRole('link', { name: 'workshop-contacts.csv' }).waitFor() },
})
