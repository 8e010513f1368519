// Adds folders, files and attachments to the demo account. Its user is a carpenter who makes furniture.
import { randomUUID } from 'node:crypto'
import { readFileType } from '#contract/fileNames.ts'
import { hashJob } from '#server/files/storage/bytes.job.ts'
import { readTextJob } from '#server/files/text/text.job.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { createCsv, createPdf, createWoodPicture } from './demo-documents.ts'

/**
 * A file of the demo account. `folder` is a path such as "Projects/Quillstone Dental"; "" is the root folder. `contact_id` is the contact
 * of an attachment; null for a file in a folder.
 */
type DemoFile = { folder: string; contact_id: string | null; name: string; daysAgo: number; bytes: Buffer }
type Contact = { id: string; first_name: string; last_name: string; company: string }

/** The light and the dark colour of each wood, as red, green and blue. */
const woods = {
  'Oak, oiled': [
    [222, 184, 135],
    [122, 78, 40],
  ],
  'Ash, white oil': [
    [236, 222, 196],
    [176, 148, 110],
  ],
  Walnut: [
    [140, 100, 72],
    [62, 38, 26],
  ],
  'Cherry, waxed': [
    [204, 142, 98],
    [132, 70, 42],
  ],
} as const
/** The first lines of each document. */
const sender = ['Larkfield, joiners', 'Unit 4, Tannery Yard, Millgate', '']
const furniture = ['Reception desk in oak', 'Waiting room benches', 'Counter with curved edge', 'Shelving wall in ash']

/** Only this many of the newest contacts get attachments. */
const maxContactsWithFiles = 12

/** Adds folders, files in them, and attachments of contacts, as one change. */
export async function addFiles(database: Database, storage: Storage, owner: string): Promise<void> {
  const contacts = await database.read(callerFor(owner), () =>
    sql<Contact>('select id, first_name, last_name, company from crm_contacts where user_id = $1 order by id desc limit $2', [
      owner,
      maxContactsWithFiles,
    ]),
  )
  const files = [...createFiles(), ...contacts.flatMap(createAttachments)].toSorted((one, other) => other.daysAgo - one.daysAgo) // the oldest first
  const storedFiles = await Promise.all(files.map(async (file) => ({ ...file, path: await store(storage, owner, file.bytes) })))
  await database.transaction(callerFor(owner), `Added ${files.length} files`, async () => {
    const folderIds = await addFolders(owner, new Set(files.map(({ folder }) => folder)))
    for (const file of storedFiles) await addFile(owner, file, folderIds.get(file.folder) ?? null)
  })
}

function createFiles(): DemoFile[] {
  const inFolder = (folder: string, name: string, daysAgo: number, bytes: Buffer): DemoFile => ({
    folder,
    contact_id: null,
    name,
    daysAgo,
    bytes,
  })
  const text = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)
  return [
    ...Object.entries(woods).map(([wood, colours], index) =>
      inFolder('Samples', `${wood}.png`, 60 - index, createWoodPicture(colours, index + 1)),
    ),
    inFolder(
      'Samples',
      'Care of oiled wood.pdf',
      58,
      createPdf('Care of oiled wood', ['Wipe with a damp cloth.', 'Oil once a year with hard wax oil.']),
    ),
    ...furniture.map((item, index) =>
      inFolder('Offers and invoices/2026', `Offer 2026-0${41 + index}.pdf`, 32 - index * 6, createOffer(41 + index, item)),
    ),
    inFolder(
      'Offers and invoices',
      'Price list 2026.csv',
      80,
      createCsv([
        ['Item', 'Unit', 'Price'],
        ['Oak board, 30 mm', 'm2', 184],
        ['Ash board, 30 mm', 'm2', 142],
        ['Fitting, two joiners', 'hour', 96],
      ]),
    ),
    inFolder('Projects/Quillstone Dental', 'Survey of the waiting room.pdf', 14, createSurvey()),
    inFolder(
      'Projects/Quillstone Dental',
      'Oak veneer, quantities.csv',
      9,
      createCsv([
        ['Part', 'Length mm', 'Width mm', 'Pieces'],
        ['Desk top', 2400, 700, 1],
        ['Front panel', 1180, 1050, 2],
        ['Seat', 450, 420, 12],
      ]),
    ),
    inFolder(
      'Projects/Quillstone Dental',
      'Site access and alarm.txt',
      6,
      text(
        'The side door in Chandler’s Row is open from 7:30.',
        'The alarm panel is behind the reception desk.',
        'Park the van in the yard.',
      ),
    ),
    inFolder('Projects/Quillstone Dental', 'Veneer for the desk.png', 5, createWoodPicture(woods['Oak, oiled'], 5)),
    inFolder(
      'Projects/Harrowmere Hotel',
      'Breakfast bar, list of parts.csv',
      20,
      createCsv([
        ['Part', 'Pieces'],
        ['Bar top in walnut', 3],
        ['Steel foot rail', 3],
        ['Hinge', 14],
      ]),
    ),
    inFolder(
      'Contracts',
      'Insurance certificate 2026.pdf',
      70,
      createPdf('Certificate of insurance', ['Public liability: £5,000,000', 'Valid until 31 December 2026']),
    ),
    inFolder(
      '',
      'Workshop calendar.txt',
      2,
      text('Mon: planing, Quillstone seats', 'Wed: delivery to the hotel', 'Fri: spray booth is cleaned'),
    ),
  ]
}

/** Creates one to three attachments of a contact. `index` is the position of the contact. */
function createAttachments({ id, first_name, last_name, company }: Contact, index: number): DemoFile[] {
  const attach = (name: string, daysAgo: number, bytes: Buffer): DemoFile => ({ folder: '', contact_id: id, name, daysAgo, bytes })
  const item = furniture[index % furniture.length] ?? ''
  const customer = company || `${first_name} ${last_name}`
  const offer = attach(`Offer for ${customer}.pdf`, 4 + index, createOffer(60 + index, item, `${first_name} ${last_name}`))
  const sample = attach('Chosen sample.png', 3 + index, createWoodPicture(Object.values(woods)[index % 4] ?? woods.Walnut, index))
  const letter = attach(
    'Questions after the visit.txt',
    2 + index,
    Buffer.from('Is there a socket behind the desk?\nWho orders the glass?\n'),
  )
  return [offer, sample, letter].slice(0, 1 + ((index + 2) % 3))
}

const createOffer = (number: number, item: string, addressee = 'our customer'): Buffer =>
  createPdf(`Offer 2026-0${number}`, [
    ...sender,
    `For ${addressee}`,
    '',
    `${item}: £${(2400 + number * 35).toLocaleString('en')}.00`,
    'Delivery and fitting: £480.00',
    '',
    'Delivery six weeks after the deposit. This offer is valid for 30 days.',
  ])

const createSurvey = (): Buffer =>
  createPdf('Survey of the waiting room', [
    ...sender,
    'East wall: 4,210 mm, out of plumb by 11 mm over its height.',
    'The skirting stays. The radiator is moved by 300 mm to the left.',
    'Twelve seats, two of them high, with arms.',
  ])

/** Writes the bytes of a file to the storage as an upload of one part, and returns their storage path. */
async function store(storage: Storage, owner: string, bytes: Buffer): Promise<string> {
  const key = `${owner}/${randomUUID()}`
  const upload = { key, id: await storage.startUpload(key, bytes.byteLength) }
  const content = (async function* () {
    yield bytes
  })()
  await storage.finishUpload(upload, [await storage.writePart(upload, 0, content, bytes.byteLength)])
  return key
}

/** Adds the folders of these paths and the folders above them. Returns their ids by path. */
async function addFolders(owner: string, paths: ReadonlySet<string>): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  // "A/B" becomes "A" and "A/B", so each folder comes after its parent folder
  const withParents = [...paths].flatMap((path) => path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/')))
  for (const path of new Set(withParents)) {
    if (path === '') continue
    const id = newId()
    const parent = ids.get(path.split('/').slice(0, -1).join('/')) ?? null
    await sql('insert into folders (user_id, id, name, parent_folder_id) values ($1, $2, $3, $4)', [
      owner,
      id,
      path.split('/').at(-1),
      parent,
    ])
    ids.set(path, id)
  }
  return ids
}

/** Adds the rows of a file, and the jobs that compute its SHA-256 and read its text. */
async function addFile(owner: string, file: DemoFile & { path: string }, folderId: string | null): Promise<void> {
  const [storedObject] = await sql<{ id: string }>(
    'insert into stored_objects (user_id, storage_path, file_size) values ($1, $2, $3) returning id',
    [owner, file.path, file.bytes.byteLength],
  )
  const object = storedObject?.id ?? ''
  await sql('insert into object_texts (user_id, id) values ($1, $2)', [owner, object])
  await sql(
    `insert into files (user_id, id, created_at, folder_id, contact_id, object_id, file_name, file_type, file_size, storage_path)
     select $1, uuidv7(-ago), now() - ago, $3, $4, $5, $6, $7, $8, $9 from make_interval(days => $2) ago`,
    [owner, file.daysAgo, folderId, file.contact_id, object, file.name, readFileType(file.name), file.bytes.byteLength, file.path],
  )
  await enqueue(hashJob, { object })
  await enqueue(readTextJob, { object })
}
