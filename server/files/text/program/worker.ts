import { parentPort, workerData } from 'node:worker_threads'
import { collectText, type Reader } from '../collector.ts'
import { Unreadable, type ProgramRequest, type ProgramResult, type TextRequest } from './request.ts'

// The worker thread of the program: it reads one file. Each library is loaded only for the files that need it.
const readers: Record<Exclude<TextRequest['family'], 'image'>, () => Promise<Reader>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  zip: async () => (await import('./office.ts')).readOffice,
  oldOffice: async () => (await import('./old-office.ts')).refuseOldOffice,
  mail: async () => (await import('./mail.ts')).readMail,
  markup: async () => (await import('./markup.ts')).readMarkupFile,
}

const programRequest: ProgramRequest = workerData
parentPort?.postMessage(await readFile(programRequest), []) // no objects are transferred

async function readFile(request: ProgramRequest): Promise<ProgramResult> {
  if ('format' in request) return (await import('./picture.ts')).convertPicture(request)
  const { family, isCut } = request
  if (family === 'image') return (await import('./picture.ts')).createThumbnail()
  try {
    const text = await collectText(await readers[family]())
    return { text: 'reason' in text ? text : { ...text, isCut: text.isCut || isCut } }
  } catch (error) {
    return { text: { reason: error instanceof Unreadable ? error.reason : 'damaged' } }
  }
}
