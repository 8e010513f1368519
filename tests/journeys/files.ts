import type { APIRequestContext } from 'playwright-core'

/** Uploads a file in parts of 8 MiB through the API with the session of `request`. Returns the id of the file. */
export async function uploadFile(request: APIRequestContext, url: string, fields: Record<string, unknown>, bytes: Buffer): Promise<string> {
  const headers = { origin: url }
  const send = async (method: 'POST' | 'PUT', path: string, data?: object | Buffer, type = 'application/json'): Promise<{ id: string }> => {
    const response = await request.fetch(url + path, { method, headers: { ...headers, 'content-type': type }, ...(data && { data }) })
    if (!response.ok()) throw new Error(await response.text())
    return response.status() === 204 ? { id: '' } : await response.json()
  }
  const partBytes = 8 * 1024 * 1024
  const { id } = await send('POST', '/api/uploads', { file_size: bytes.byteLength, ...fields })
  for (let number = 0; number * partBytes < bytes.byteLength; number += 1) {
    const part = bytes.subarray(number * partBytes, (number + 1) * partBytes)
    await send('PUT', `/api/uploads/${id}/parts/${number}`, part, 'application/octet-stream')
  }
  return (await send('POST', `/api/uploads/${id}/finish`)).id
}
