import sharp from 'sharp'
import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import { createCsv, createPdf, createWoodPicture } from './demo-documents.ts'

test('createPdf creates a PDF with one page, whose text is the title and the lines', async () => {
  const pdf = createPdf('Offer (draft)', ['Desk in oak: £4,200', String.raw`A \ B`])
  const { text, totalPages } = await extractText(new Uint8Array(pdf), { mergePages: true })
  expect([totalPages, text.replaceAll(/\s+/g, ' ')]).toEqual([1, String.raw`Offer (draft) Desk in oak: £4,200 A \ B`])
})

test('createWoodPicture creates a PNG with shades between the light and the dark colour', async () => {
  const picture = createWoodPicture(
    [
      [222, 184, 135], // the light colour as red, green and blue
      [122, 78, 40], // the dark colour
    ],
    1, // the seed
  )
  const { channels } = await sharp(picture).stats()
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 480, height: 320, channels: 3 })
  const [red] = channels
  expect(red?.max).toBeGreaterThan(210)
  expect(red?.min).toBeLessThan(180)
})

test('createCsv doubles a quote inside of a value', () => {
  expect(
    createCsv([
      ['Part', 'Pieces'],
      ['Board 1" thick', 2],
    ]).toString(),
  ).toBe('"Part","Pieces"\r\n"Board 1"" thick","2"')
})
