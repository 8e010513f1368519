import sharp from 'sharp'
import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import { createCsv, createPdf, createWoodPicture } from './demo-documents.ts'

test('a PDF has its title and its lines as text', async () => {
  const pdf = createPdf('Offer (draft)', ['Desk in oak: £4,200', String.raw`A \ B`])
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true })
  expect([totalPages, text.replaceAll(/\s+/g, ' ')]).toEqual([1, String.raw`Offer (draft) Desk in oak: £4,200 A \ B`])
})

test('a picture of wood can be decoded, and has the two colours', async () => {
  const picture = createWoodPicture(
    [
      [222, 184, 135],
      [122, 78, 40],
    ],
    1,
  )
  const { channels } = await sharp(picture).stats()
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 480, height: 320, channels: 3 })
  const [red] = channels
  expect(red?.max).toBeGreaterThan(210)
  expect(red?.min).toBeLessThan(180)
})

test('a value with a quote stays one value of a CSV', () => {
  expect(
    createCsv([
      ['Part', 'Pieces'],
      ['Board 1" thick', 2],
    ]).toString(),
  ).toBe('"Part","Pieces"\r\n"Board 1"" thick","2"')
})
