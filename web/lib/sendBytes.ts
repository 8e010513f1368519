import type { RequestInput, ResponseBody, Route } from '#contract/route.ts'
import { addressOf, createOfflineError, hasSignedInAgain, ProblemError, readProblem, trackWrite } from './client.ts'
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
  const { response } = await sendBytesForChange(route, input, bytes, options)
  return response
}

type ChangeResponse<R extends Route> = { response: ResponseBody<R>; changeId: string | undefined }

/** Does the same as `sendBytes`, and also returns the id of the change for Undo. The id is undefined when nothing was written. */
export async function sendBytesForChange<R extends Route>(
  route: R,
  input: RequestInput<R>,
  bytes: Blob,
  options: SendOptions,
): Promise<ChangeResponse<R>> {
  const send = async (): Promise<ChangeResponse<R>> => {
    const { response, changeId } = await sendRequest(route.method, addressOf(route, input), bytes, options)
    if (response.ok) return { response: await readBody(response), changeId }
    const problem = await readProblem(response)
    if (await hasSignedInAgain(problem)) return sendBytesForChange(route, input, bytes, options)
    throw new ProblemError(problem)
  }
  return route.changes === 'journaled' ? trackWrite(send()) : send()
}

type RequestResult = { response: Response; changeId: string | undefined }

function sendRequest(method: string, address: string, bytes: Blob, { signal, onProgress }: SendOptions): Promise<RequestResult> {
  const { promise, resolve, reject } = Promise.withResolvers<RequestResult>()
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
  request.addEventListener('load', () => resolve(toResult(request)))
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

/** Reads the response of a finished request. A `Response` with status 204 must have no body. */
function toResult(request: XMLHttpRequest): RequestResult {
  const changeId = request.getResponseHeader('foyer-change') ?? undefined
  if (changeId !== undefined) rememberOwnChange(changeId)
  const response = new Response(request.status === 204 ? null : request.responseText, { status: request.status })
  return { response, changeId }
}
