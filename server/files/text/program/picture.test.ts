import createSharp from 'sharp'
import { expect, test } from 'vitest'
import { reasonOf } from './picture.ts'

// only the messages of sharp say why it has not read an image
test('the reason of an error of sharp follows from its message', async () => {
  const image = await createSharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const errorOf = async (bytes: Buffer, options = {}): Promise<unknown> =>
    createSharp(bytes, { ...options, failOn: 'error' })
      .raw()
      .toBuffer()
      .then(
        () => Promise.reject(new Error('sharp has read the image')),
        (error: unknown) => error,
      )
  expect(reasonOf(await errorOf(image, { limitInputPixels: 1 }))).toBe('too_large')
  expect(reasonOf(await errorOf(image.subarray(0, 40)))).toBe('damaged')
  expect(reasonOf(new Error('timeout: 30% complete\nVipsImage: killed for image "temp-38"'))).toBe('timeout')
})
