import type { Page } from 'playwright-core'
import { addContacts } from './accounts.ts'
import { uploadFile } from './files.ts'
import { makePdf } from './pdf.ts'

/** The ids of the records that the screens show. */
export type SampleRecords = Awaited<ReturnType<typeof addSampleRecords>>

/** Adds the records that the screens show, through the API with the session of the page. Some have long names, some are linked to others; one is deleted. */
export async function addSampleRecords(page: Page, url: string) {
  const [contact = '', longNamedContact = '', deletedContact = ''] = await addContacts(page, url, [
    {
      first_name: 'Imara',
      last_name: 'Vantongeren',
      email: 'imara@quillstone.example',
      phone: '+44 20 7946 0118',
      company: 'Quillstone Dental',
    },
    {
      first_name: 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2),
      last_name: 'Haldane-Osei',
      company: 'A company with a name that goes on and on and on',
    },
    { first_name: 'Bastian', last_name: 'Ollerquist' },
  ])
  await page.request.delete(`${url}/api/contacts/${deletedContact}`, { headers: { origin: url } })
  const add = async (path: string, data: object): Promise<string> => {
    const response = await page.request.post(`${url}${path}`, { headers: { origin: url }, data })
    return (await response.json()).id
  }
  const company = await add('/api/companies', {
    name: 'Quillstone Dental',
    industry: 'Health',
    website: 'https://quillstone.example',
    tags: ['VIP'],
  })
  const deal = await add('/api/deals', {
    title: 'Waiting room',
    value: 26_400.5,
    stage: 'proposal',
    contact_id: contact,
    company_id: company,
  })
  const task = await add('/api/tasks', { title: 'Send the drawings', due_date: '2026-01-02', contact_id: contact, deal_id: deal })
  await add('/api/notes', { contact_id: contact, content: 'Twelve seats, two of them high.' })
  const folder = await add('/api/folders', { name: 'Quillstone Dental' })
  const emptyFolder = await add('/api/folders', { name: 'A folder with a name that goes on and on and on', parent_folder_id: folder })
  for (const name of ['Site access and alarm.txt', `${'unbreakable'.repeat(12)}.pptx`])
    await uploadFile(page.request, url, { file_name: name, folder_id: folder }, Buffer.from('The alarm is beside the door.'))
  await add('/functions/v1/upload-to-s3', {
    fileName: 'Drawings of the waiting room.pdf',
    fileSize: 5,
    mimeType: 'application/pdf',
    contactId: contact,
    fileData: 'SGVsbG8=',
  })
  const pages = [['The desk is made in two parts.'], ['Towards the entrance there is a lowered section.']]
  const pdf = await uploadFile(page.request, url, { file_name: 'quillstone-quote-and-drawings.pdf' }, makePdf(pages))
  const table = await uploadFile(page.request, url, { file_name: 'prices.csv' }, Buffer.from('Part,Price\nDesk,7900\n'))
  const form = await add('/api/lead-forms', { title: 'Ask for an offer for a waiting room', description: 'Tell us what you need.' })
  return { contact, longNamedContact, company, deal, task, folder, emptyFolder, pdf, table, form }
}
