import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Reply } from '#server/testing/ai-reply.ts'
import { startAiServer, type AiServerOptions } from '#server/testing/ai-server.ts'
import { testAi } from './testing.ts'
import type { Picture } from './types.ts'

const draw = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
const png = await draw(4).png().toBuffer()

/** Sends pictures to a model that can see, and returns the types and widths of the pictures that arrive. */
async function sendPictures(...pictures: Picture[]) {
  await using server = await startAiServer({ respond: () => 'Red.' })
  await testAi.complete(server.connection, { instructions: 'Look.', text: 'Which color?', pictures })
  const urls = server.requests[0]?.pictures ?? []
  return Promise.all(
    urls.map(async (url) => {
      const [, type, base64 = ''] = url.match(/^data:([^;]+);base64,(.*)$/s) ?? []
      return { type, width: (await sharp(Buffer.from(base64, 'base64')).metadata()).width }
    }),
  )
}

test('A picture is sent as base64 with the type of its bytes.', async () => {
  expect(await sendPictures({ bytes: png, mimeType: 'image/jpeg' })).toEqual([{ type: 'image/png', width: 4 }])
})

test('Pictures of types that endpoints do not read are converted, and large pictures are made smaller.', async () => {
  const gif = await draw(4).gif().toBuffer()
  const avif = await draw(64).avif().toBuffer()
  const noise = {
    create: { width: 2600, height: 1200, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 100, sigma: 90 } },
  } as const
  const large = await sharp(noise).png().toBuffer()
  const pictures = [gif, avif, large].map((bytes) => ({ bytes, mimeType: 'image/png' }))
  expect(await sendPictures(...pictures)).toEqual([4, 64, 2048].map((width) => ({ type: 'image/jpeg', width })))
})

test('A file that cannot be read as a picture is not sent; the model gets a note instead.', async () => {
  await using server = await startAiServer({ respond: () => 'I see nothing.' })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/"/></svg>')
  const pictures = [svg, Buffer.from('nothing')].map((bytes) => ({ bytes, mimeType: 'image/png' }))
  await testAi.complete(server.connection, { instructions: 'Look.', text: 'Well?', pictures })
  expect(server.requests[0]).toMatchObject({ pictures: [], text: 'Well?[A picture that cannot be read][A picture that cannot be read]' })
})

test('A model that is known not to see gets no picture: `generate` sends a note instead, and `complete` fails and says why.', async () => {
  await using server = await startAiServer({ respond: () => 'Nothing.' })
  const connection = { ...server.connection, capabilities: { ...server.connection.capabilities, vision: false } }
  const pictures = [{ bytes: png, mimeType: 'image/png' }]
  await testAi.generate(connection, { instructions: '', messages: [{ role: 'user', text: 'Well?', pictures }] })
  expect(server.requests[0]).toMatchObject({ pictures: [], text: 'Well?[A picture that this model cannot see]' })
  const failed = testAi.complete(connection, { instructions: '', text: 'Well?', pictures })
  await expect(failed).rejects.toMatchObject({ reason: 'no_pictures', message: 'This model cannot read pictures.' })
})

test('If the service refuses pictures, the call fails with the reason `no_pictures`.', async () => {
  const respond = (): Reply => ({ status: 400, body: { error: { message: 'image_url is not supported' } } })
  await using server = await startAiServer({ respond })
  const request = { instructions: '', text: 'Well?', pictures: [{ bytes: png, mimeType: 'image/png' }] }
  await expect(testAi.complete(server.connection, request)).rejects.toMatchObject({ reason: 'no_pictures' })
})

const makeImageWith = async (respond: AiServerOptions['respond']) => {
  await using server = await startAiServer({ respond })
  const outcome = await testAi.makeImage(server.connection, { prompt: 'A shelf' }).catch((error: unknown) => ({ error }))
  return { outcome, requests: server.requests }
}

for (const field of ['b64_json', 'url'] as const)
  test(`A picture is made by an endpoint that answers with ${field}.`, async () => {
    const { outcome, requests } = await makeImageWith(() => ({ picture: png, as: field }))
    expect(outcome).toMatchObject({ picture: { mimeType: 'image/png' } })
    expect('picture' in outcome && Buffer.from(outcome.picture.bytes).equals(png)).toBe(true)
    expect(requests[0]?.body).toMatchObject({ model: 'painter', prompt: 'A shelf', n: 1, size: '1024x1024' })
    expect(requests[0]?.body).not.toHaveProperty('response_format')
  })

const respondWithUrl = (url: string) => (): Reply => ({ status: 200, body: { data: [{ url }] } })

test('A picture at an address in a private network is not downloaded.', async () => {
  const { outcome } = await makeImageWith(respondWithUrl('http://169.254.169.254/latest/meta-data'))
  expect(outcome).toMatchObject({ error: { reason: 'address' } })
})

test('A picture that is larger than 25 MB is not downloaded whole.', async () => {
  const large = Buffer.concat([png, Buffer.alloc(25 * 1024 ** 2)])
  const { outcome } = await makeImageWith(() => ({ picture: large, as: 'url' }))
  expect(outcome).toMatchObject({ error: { reason: 'unusable', message: 'The answer of the AI service is too large.' } })
})

const noPicture: [string, Reply, object][] = [
  ['no data', { status: 200, body: { data: [] } }, { reason: 'empty', message: 'The AI service made no picture.' }],
  ['bytes that are not a picture', { picture: Buffer.from('<html>'), as: 'b64_json' }, { reason: 'empty' }],
  ['an invalid address', { status: 200, body: { data: [{ url: 'nonsense' }] } }, { reason: 'empty' }],
  ['a wrong key', { status: 401, body: { error: { message: 'no' } } }, { reason: 'key' }],
  ['an unknown model', { status: 404, body: { error: { message: 'The model painter does not exist' } } }, { reason: 'model' }],
  ['HTML', { status: 502, body: '<html>Bad gateway</html>' }, { reason: 'failed' }],
]

for (const [what, reply, failure] of noPicture)
  test(`A request for a picture fails if the endpoint answers with ${what}.`, async () => {
    const { outcome } = await makeImageWith(() => reply)
    expect(outcome).toMatchObject({ error: { name: 'AiFailure', ...failure } })
  })
