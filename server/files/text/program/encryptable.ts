import { readAllBytes } from './file.ts'
import { Unreadable } from './request.ts'

/** Old Office files are not supported. An encrypted new one is stored in the same container, under this name. */
export function readEncryptable(): never {
  throw new Unreadable(readAllBytes().includes(Buffer.from('EncryptedPackage', 'utf16le')) ? 'encrypted' : 'unsupported')
}
