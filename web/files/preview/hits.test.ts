import { expect, test } from 'vitest'
import { findHits } from './hits.ts'

/** Returns for each place: its page, the index of its first match on the page and in the file, its passage, and the marked words. */
const find = (text: string, pages: readonly number[] | null, search: string) =>
  findHits(text, pages, search).map(({ page, match, matchInFile, passage, marks }) => ({
    place: [page, match, matchInFile],
    passage,
    marked: marks.map(({ start, end }) => passage.slice(start, end)),
  }))

test('each place has its page, its number on the page and in the file, and its marked words', () => {
  const first = 'A lowered section.'
  const second = `The desk has two parts. ${'word '.repeat(40)}A lowered section again.`
  expect(find(first + second, [0, first.length], 'lowered section')).toEqual([
    { place: [1, 0, 0], passage: 'A lowered section.', marked: ['lowered section'] },
    // a passage begins with a whole word, at most 50 characters before its first match
    { place: [2, 0, 1], passage: `…${'word '.repeat(9)}A lowered section again.`, marked: ['lowered section'] },
  ])
})

test('matches near each other are one place, and all of them count in the match index of the next place', () => {
  const hits = find(`oak, oak and oak. ${'word '.repeat(40)}oak`, null, 'oak')
  expect(hits.map(({ place, marked }) => [place, marked.length])).toEqual([
    [[null, 0, 0], 3],
    [[null, 3, 3], 1],
  ])
})

test('a search with several words finds only the places that contain the most of them', () => {
  const far = 'word '.repeat(60)
  expect(find(`the desk ${far} the oak desk ${far} oak`, null, 'oak desk').map(({ marked }) => marked)).toEqual([['oak desk']])
})

test('a search without words finds nothing', () => {
  expect(find('a text', null, ' ,')).toEqual([])
})

test('at most 200 places are returned', () => {
  expect(find(`oak ${'word '.repeat(60)}`.repeat(300), null, 'oak')).toHaveLength(200)
})
