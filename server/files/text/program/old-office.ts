import { readInputFile } from './file.ts'
import { Unreadable } from './request.ts'

/**
 * Refuses a file in the container of Office before 2007, whose text is not read. An encrypted file of a newer Office is in the same
 * container, as a stream with the name `EncryptedPackage`, and is refused as encrypted.
 */
export function refuseOldOffice(): never {
  throw new Unreadable(readInputFile().includes(Buffer.from('EncryptedPackage', 'utf16le')) ? 'encrypted' : 'unsupported')
}
