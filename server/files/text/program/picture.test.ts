import { expect, test } from 'vitest'
import { reasonOf } from './picture.ts'

// only the messages of sharp say why it has not read an image
test.each([
  ['timeout: 30% complete\nVipsImage: killed for image "temp-38"', 'timeout'],
  ['Input image exceeds pixel limit', 'too_large'],
  ['VipsJpeg: premature end of JPEG image', 'damaged'],
])('the reason of the error "%s" is %s', (message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason)
})
