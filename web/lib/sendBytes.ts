import type { RequestInput, ResponseBody, Route } from '#contract/route.ts'
import { addressOf, createOfflineError, hasSignedInAgain, ProblemError, readProblem } from './client.ts'
import { rememberOwnChange } from './ownChanges.ts'

type SendOptions = {
  signal: AbortSignal
  /** Receives the number of bytes that the browser has sent. */
  onProgress: (sentBytes: number) => void
}

/** The request is cancelled when the browser reports no progress for this time. */
const silenceTimeoutMs = 60_000

/**
 * Sends bytes to a route that receives uploads, and returns the body of the response. Uses XMLHttpRequest, because `fetch` does not report
 * the progress of a request. Throws `ProblemError`; its code is `offline` also when the bytes cannot be read from the disk. Throws the reason
 * of the signal when it is aborted.
 */
export async function sendBytes<R extends Route>(
  route: R,
  input: RequestInput<R>,
  bytes: Blob,
  options: SendOptions,
): Promise<ResponseBody<R>> {
  const response = await sendRequest(route.method, addressOf(route, input), bytes, options)
  if (response.ok) return readBody(response)
  const problem = await readProblem(response)
  if (await hasSignedInAgain(problem)) return sendBytes(route, input, bytes, options)
  throw new ProblemError(problem)
}

function sendRequest(method: string, address: string, bytes: Blob, { signal, onProgress }: SendOptions): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const request = new XMLHttpRequest()
  let timer: ReturnType<typeof setTimeout> | undefined
  const waitForActivity = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => request.abort(), silenceTimeoutMs)
  }
  const cancel = (): void => request.abort()
  request.upload.addEventListener('progress', ({ loaded }) => {
    waitForActivity()
    onProgress(loaded)
  })
  request.addEventListener('load', () => resolve(toResponse(request)))
  request.addEventListener('error', () => reject(createOfflineError()))
  request.addEventListener('abort', () => reject(signal.aborted ? signal.reason : createOfflineError()))
  request.addEventListener('loadend', () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  })
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel)
  request.open(method, address)
  request.setRequestHeader('accept', 'application/json')
  request.setRequestHeader('content-type', 'application/octet-stream')
  waitForActivity()
  request.send(bytes)
  return promise
}

const readBody = async (response: Response) => (response.status === 204 ? undefined : await response.json())

/** Converts a finished request to a `Response`. A `Response` with status 204 must have no body. */
function toResponse(request: XMLHttpRequest): Response {
  const changeId = request.getResponseHeader('foyer-change')
  if (changeId !== null) rememberOwnChange(changeId)
  return new Response(request.status === 204 ? null : request.responseText, { status: request.status })
}
