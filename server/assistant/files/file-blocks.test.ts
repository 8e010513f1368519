// Files in the text of a model are found however the text is split into pieces, and other text is not read as a file.
import { expect, test } from 'vitest'
import { createFileBlockExtractor, fileLimits, formatFileBlock, removeFileBlocks, type BlockFile } from './file-blocks.ts'

/** Reads a text in pieces. Returns what is shown, and the names, types and texts of the files. */
function read(pieces: readonly string[], isComplete = true): { shown: string; files: string[] } {
  const files: BlockFile[] = []
  const extractor = createFileBlockExtractor((file) => files.push(file))
  const shown = pieces.map(extractor.push).join('') + extractor.end(isComplete)
  return { shown, files: files.map(({ fileName, mimeType, bytes }) => `${fileName} ${mimeType} ${bytes.toString()}`) }
}

const splitInto = (text: string, length: number): string[] => text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
const hello = 'base64-file:Hello.txt|text/plain|x|SGVsbG8='
const ready = 'File "Hello.txt" is ready for download.'
const file = 'Hello.txt text/plain Hello'

test.each([1, 2, 3, 5, 7, 11, 13, 1000])('a file between texts is found in pieces of %i characters', (length) => {
  const expected = { shown: `Here it is: ${ready}\n\nAnything else? 😀`, files: [file] }
  expect(read(splitInto(`Here it is: ${hello}\n\nAnything else? 😀`, length))).toEqual(expected)
})

test('two files in a row are both found, and so is a file at the very end', () => {
  expect(read([`${hello} ${hello}`])).toEqual({ shown: `${ready} ${ready}`, files: [file, file] })
})

test.each([
  ['a text that has only the beginning of the marker', 'base64-fil and base64-files'],
  ['the marker without a name', 'I write base64-file: and then a name.\nNext line'],
  ['the marker at the end', 'base64-file:'],
  ['a header that is never closed', 'base64-file:Hello.txt|text/plain'],
  ['a header that is too long', `base64-file:${'x'.repeat(2000)}|text/plain|x|SGVsbG8=`],
])('%s is shown as it is', (_name, text) => {
  for (const length of [1, 4, 10_000]) expect(read(splitInto(text, length))).toEqual({ shown: text, files: [] })
})

test('a file in lines of 76 characters is one file, and a line break after a line of another length ends it', () => {
  const bytes = Buffer.from('x'.repeat(200))
  const wrapped = bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  const { shown, files } = read(splitInto(`base64-file:a.txt|text/plain|x|${wrapped}\nEnd`, 5))
  expect([shown, files]).toEqual(['File "a.txt" is ready for download.\nEnd', [`a.txt text/plain ${bytes.toString()}`]])
  expect(read(['base64-file:a.txt|text/plain|x|SGVsbG8h\nSee above'])).toEqual({
    shown: 'File "a.txt" is ready for download.\nSee above',
    files: ['a.txt text/plain Hello!'],
  })
})

test('a sentence takes the place of a file that is not complete, because the answer broke off', () => {
  expect(read(['base64-file:Hello.txt|text/plain|x|SGVs'], false)).toEqual({
    shown: 'File "Hello.txt" is not complete and was left out.',
    files: [],
  })
})

test.each(['', 'A', 'SGVsbG8==='])('a sentence takes the place of a file that is damaged: %j', (data) => {
  const { shown, files } = read([`base64-file:Hello.txt|text/plain|x|${data} end`])
  expect([shown, files]).toEqual(['File "Hello.txt" is damaged and was left out. end', []])
})

test('a sentence takes the place of a file that is too large', () => {
  const piece = 'A'.repeat(1024 * 1024)
  const { shown, files } = read(['base64-file:Big.bin|a/b|x|', ...Array.from({ length: 15 }, () => piece), '\nend'])
  expect([shown, files]).toEqual(['File "Big.bin" is larger than 10 MB and was left out.\nend', []])
})

test('a sentence takes the place of a file that is above the limit of 20 files', () => {
  const { shown, files } = read([`${hello}\n`.repeat(fileLimits.count + 1)])
  expect(files).toHaveLength(fileLimits.count)
  expect(shown).toMatch(/File "Hello.txt" was left out, because an answer has at most 20 files.\n$/)
})

test('a name loses its folders and control characters, and a malformed type becomes application/octet-stream', () => {
  const { files } = read(['base64-file:../../etc/pass\u202Ewd|text/html; x="y"|x|SGVsbG8='])
  expect(files).toEqual(['passwd application/octet-stream Hello'])
})

test('NUL is removed, unpaired surrogates are replaced, and a surrogate pair in two pieces stays whole', () => {
  expect(read(['a\0b', 'c\uD83D', '\uDE00d\uD83D', 'e\uDE00', 'f\uD83D']).shown).toBe('abc😀d\u{FFFD}e\u{FFFD}f\u{FFFD}')
})

test('a file that was formatted as a block is found in a text, and has _ in its name for each |', () => {
  const block = formatFileBlock({ fileName: 'a|b.txt', mimeType: 'text/plain', bytes: Buffer.from('Hello') })
  expect(read([block]).files).toEqual(['a_b.txt text/plain Hello'])
  expect(removeFileBlocks(`See ${block}`)).toBe('See File "a_b.txt" is ready for download.')
})
