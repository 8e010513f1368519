import { useEffect, useState } from 'react'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { InvalidPDFException, PasswordResponses, ResponseException } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { loadDocument } from './pdfjs.ts'

/** The size of a page at the scale 1, in px. */
export type PageSize = { width: number; height: number }

export type PdfState =
  | { step: 'loading' }
  /** The document needs a password. `wrongCount` is the number of passwords that did not open it. */
  | { step: 'password'; wrongCount: number; submit: (password: string) => void }
  | { step: 'failed'; reason: 'damaged' | 'unavailable' }
  | { step: 'open'; document: PDFDocumentProxy; firstPageSize: PageSize }

/** Opens the PDF at an address. Closes it, with its worker, when the component is unmounted. */
export function usePdfDocument(address: string): PdfState {
  const [state, setState] = useState<PdfState>({ step: 'loading' })
  useEffect(() => {
    const task = loadDocument(address)
    let isClosed = false
    let wrongCount = 0
    const show = (next: PdfState): void => {
      if (!isClosed) setState(next)
    }
    task.onPassword = (submit: (password: string) => void, response: number) => {
      if (response === PasswordResponses.INCORRECT_PASSWORD) wrongCount += 1
      show({ step: 'password', wrongCount, submit })
    }
    const open = async (): Promise<void> => {
      const document = await task.promise
      const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
      show({ step: 'open', document, firstPageSize: { width, height } })
    }
    open().catch((error: unknown) => show({ step: 'failed', reason: findReason(error) }))
    return () => {
      isClosed = true
      void task.destroy()
    }
  }, [address])
  return state
}

/** Returns "unavailable" for an error of the request, and "damaged" for every other error. */
function findReason(error: unknown): 'damaged' | 'unavailable' {
  if (error instanceof InvalidPDFException) return 'damaged'
  return error instanceof ResponseException || error instanceof TypeError ? 'unavailable' : 'damaged'
}
