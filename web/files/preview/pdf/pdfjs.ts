import { GlobalWorkerOptions, getDocument, version, VerbosityLevel, type PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs'
// oxlint-disable-next-line import/default -- Vite adds the address of the file as the default export
import workerAddress from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'

GlobalWorkerOptions.workerSrc = workerAddress

/** The folder with the files that pdf.js requests by name. Vite copies them into the build (see `pdfFiles` in vite.config.ts). */
const folder = import.meta.env.DEV ? '/node_modules/pdfjs-dist' : `/assets/pdfjs-${version}`

/** The number of bytes of a range request. */
const rangeBytes = 256 * 1024

/**
 * Starts to load a PDF. Only the ranges that the visible pages need are requested, so a large file opens quickly. Scripts and forms in the
 * file are never run, and nothing is requested from another origin.
 */
export const loadDocument = (address: string): PDFDocumentLoadingTask =>
  getDocument({
    url: address,
    rangeChunkSize: rangeBytes,
    disableStream: true,
    disableAutoFetch: true,
    enableXfa: false,
    useWasm: false, // the policy of the worker forbids WebAssembly; pdf.js then loads decoders in JavaScript
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    wasmUrl: `${folder}/wasm/`, // this folder also has the decoders in JavaScript
    useWorkerFetch: true,
    disableWorkerRendering: true,
    maxImageSize: 100_000_000, // in pixels
    verbosity: VerbosityLevel.ERRORS,
  })
