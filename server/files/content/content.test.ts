// The bytes of files: ranges, and which files a browser shows.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { partBytes } from '#contract/uploads.ts'
import { openS3Storage } from '#server/platform/storage/s3.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, createFileClient, type FileClient } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { startS3, type S3StandIn } from '#server/testing/s3.ts'

let s3: S3StandIn
beforeAll(async () => void (s3 = await startS3()))
afterAll(() => s3[Symbol.asyncDispose]())

describe.each(['disk', 'S3'])('a file of two parts on %s', (driver) => {
  const size = partBytes + 1000
  /** Bytes that differ from place to place, so that a wrong range is noticed. */
  const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) % 256))
  let app: TestApp
  let client: FileClient
  let id: string
  beforeAll(async () => {
    app = await openTestApp(driver === 'S3' ? { storage: openS3Storage(s3.settings) } : {})
    const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
    client = createFileClient(address, (await signInAs(app, 'ada')).token)
    id = (await client.upload(bytes)).id
  })
  afterAll(() => app.stop())
  const request = (headers: Record<string, string>, method = 'GET') => client.request(method, `/api/files/${id}/content`, { headers })

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=-1', size - 1, size - 1],
    ['bytes=5-', 5, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
    [`bytes=${partBytes - 5}-${partBytes + 5}`, partBytes - 5, partBytes + 5],
    [`bytes=${size - 1}-${size + 99}`, size - 1, size - 1],
    [`bytes=-${size + 99}`, 0, size - 1],
  ])('the range %s is sent with status 206', async (range, start, end) => {
    const response = await request({ range })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes ${start}-${end}/${size}`])
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true)
  })

  test('invalid and multiple ranges get the whole file, and a range after its end gets status 416', async () => {
    for (const range of ['bytes=5-3', 'bytes=a-b', 'bytes=0-1,3-4']) {
      const response = await request({ range })
      expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, size])
    }
    expect((await request({ range: `bytes=${size}-` })).status).toBe(416)
  })

  test('HEAD ignores ranges, and requests with If-Match, If-None-Match or If-Range depend on the ETag', async () => {
    const head = await request({}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(size)])
    expect((await request({ range: 'bytes=0-0' }, 'HEAD')).status).toBe(200)
    const etag = head.headers.get('etag') ?? ''
    expect([(await request({ 'if-match': etag }, 'HEAD')).status, (await request({ 'if-match': '"older"' })).status]).toEqual([200, 412])
    expect((await request({ 'if-none-match': etag })).status).toBe(304)
    for (const [ifRange, status] of [
      ['"older"', 200],
      [`W/${etag}`, 200],
      [etag, 206],
    ] as const) {
      const response = await request({ range: 'bytes=0-0', 'if-range': ifRange })
      expect(response.status).toBe(status)
      await response.arrayBuffer()
    }
  })
})

// Script in a file must not run with the session of the user, so a browser may show only images.
describe('a file in a browser', () => {
  let app: TestApp
  let ada: Person
  beforeAll(async () => {
    app = await openTestApp()
    ada = await signInAs(app, 'ada')
  })
  afterAll(() => app.stop())

  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const script = '<script>alert(1)</script>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`
  const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`

  /** Uploads a file and requests it for showing. Returns its disposition and its type. */
  const show = async (file_name: string, content: Buffer | string, mime_type = 'text/html') => {
    const { id } = await addFile(ada, { file_name, mime_type }, Buffer.from(content))
    const { headers, statusCode } = await ada.send({ url: `/api/files/${id}/content?disposition=inline` })
    expect(statusCode).toBe(200)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain('sandbox')
    return [String(headers['content-disposition']).split(';')[0], headers['content-type']]
  }

  test.each([
    ['a.png', png, 'image/png'],
    ['a.JPG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['a.gif', 'GIF89a\u0001', 'image/gif'],
    ['a.webp', 'RIFF\u0001\u0001\u0001\u0001WEBPVP8 ', 'image/webp'],
    ['a.avif', Buffer.from('0000001c6674797061766966', 'hex'), 'image/avif'],
  ])('%s is shown as an image, even if the upload declares the type text/html', async (name, content, type) => {
    expect(await show(name, content)).toEqual(['inline', type])
  })

  test.each([
    ['a.html', script],
    ['a.htm', script],
    ['a.svg', svg],
    ['a.xhtml', xhtml],
    ['a.xml', xhtml],
    ['a.js', 'alert(1)'],
    ['a', script],
    ['png', png],
    ['a.png', script],
    ['a.png', svg],
    ['a.gif', `GIF89a/*${script}*/`],
    ['a.gif', `GIF89a=1;${svg}`],
    ['a.html', `GIF89a${script}`],
    ['a.html', png],
    ['a.jpg', Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from('<HTML><body>')])],
    ['a.pdf', '%PDF-1.7\n'],
    ['a.txt', script],
    ['a.png.html', png],
    ['a.png.', png],
    ['empty.png', ''],
  ])('%s with %j is only downloaded', async (name, content) => {
    for (const type of ['text/html', 'image/png', 'image/svg+xml'])
      expect(await show(name, content, type)).toEqual(['attachment', 'application/octet-stream'])
  })

  test('every file is downloaded and not shown if the request has no disposition', async () => {
    const { id } = await addFile(ada, { file_name: 'download.png' }, png)
    const { headers } = await ada.send({ url: `/api/files/${id}/content` })
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=download.png',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('the SHA-256 of a file is computed soon after the upload', async () => {
    const { id } = await addFile(ada, { file_name: 'checked.png' }, png)
    const readChecksum = async () => (await ada.send({ url: `/api/files/${id}/checksum` })).json()
    await expect.poll(readChecksum).toEqual({ sha256: createHash('sha256').update(png).digest('hex') })
  })
})
