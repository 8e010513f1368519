// Adds an owner (a user with a session) to the product, with documents whose texts can be searched, and with many files without text.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { openDatabaseForCommand } from '#server/platform/database/open.ts'
import { openPool } from '#server/platform/database/pool.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { storeExtraction } from '#server/files/text/text.store.ts'
import { openKeyFile } from '#server/platform/security/key-file.ts'
import { addOwner, type Owner } from './owners.ts'

/** An owner, and the texts to search for. The keys of `searches` describe the texts. */
export type TextOwner = Owner & { searches: Readonly<Record<string, string>> }

/** `words` is the number of different words in all documents, `bytes` the length of a document. */
export const textCounts = { documents: 1000, filesWithoutText: 100_000, words: 20_000, bytes: 50_000 } as const

/**
 * Adds the owner to the product in this data folder. Adds only rows to the database; the documents and the other files have no stored
 * bytes.
 */
export async function addTextOwner(folder: string): Promise<TextOwner> {
  const openedDatabase = await openDatabaseForCommand({
    data: { folder, isConfigured: true },
    external: undefined,
    keyFile: openKeyFile(join(folder, 'secret.key')),
  })
  const pool = openPool(openedDatabase.connections.application, 1, console.error)
  const client = new pg.Client(openedDatabase.connections.tableOwner)
  await client.connect()
  const owner = await addOwner(client, 'texts')
  const vocabulary = createVocabulary()
  await addObjects(client, owner.userId, textCounts.filesWithoutText, 'failed')
  const objects = await addObjects(client, owner.userId, textCounts.documents, 'waiting')
  await addTexts(createDatabase(pool), owner.userId, objects, vocabulary)
  for (const table of ['files', 'stored_objects', 'object_texts', 'object_text_parts']) await client.query(`vacuum (analyze) ${table}`)
  await Promise.all([client.end(), pool.end(), openedDatabase.stop()])
  // the vocabulary begins with the most frequent words; words at these places are frequent, but not in every document
  const [frequent = '', alsoFrequent = ''] = [vocabulary[830], vocabulary[840]]
  return {
    ...owner,
    searches: {
      'a rare word': rareWord,
      'a frequent word': frequent,
      'two frequent words': `${frequent} ${alsoFrequent}`,
      'a frequent and a rare word': `${frequent} ${rareWord}`,
      'the beginning of a word': frequent.slice(0, 3),
    },
  }
}

/** A word that is in one document only, and not in the vocabulary. */
const rareWord = 'quincunx'

/**
 * Adds files, each with an object of its own (the row that says where the bytes of a file are), and returns the ids of the objects.
 * `state` says whether the text of the files waits to be read, or could not be read.
 */
async function addObjects(client: pg.Client, owner: string, count: number, state: 'waiting' | 'failed'): Promise<string[]> {
  const { rows } = await client.query<{ object_id: string }>(
    `with objects as (
       insert into stored_objects (user_id, storage_path, file_size)
       select $1::uuid, $1::uuid::text || '/' || gen_random_uuid(), number from generate_series(1, $2) number returning *
     ), texts as (
       insert into object_texts (user_id, id, state, reason) select user_id, id, $3, case $3 when 'failed' then 'no_text' else '' end from objects
     )
     insert into files (user_id, object_id, storage_path, file_name, file_type, file_size)
     select $1::uuid, id, storage_path, 'File ' || md5(storage_path) || '.txt', 'txt', file_size from objects returning object_id`,
    [owner, count, state],
  )
  return rows.map(({ object_id }) => object_id)
}

/** Adds a text of random words to each object, with a full stop after every twelfth word. One text contains the rare word. */
async function addTexts(database: Database, owner: string, objects: readonly string[], vocabulary: readonly string[]): Promise<void> {
  const random = createRandom()
  const cumulativeProbabilities = computeCumulativeProbabilities(vocabulary.length)
  for (const [index, object] of objects.entries()) {
    const words = [index === Math.floor(objects.length / 2) ? rareWord : 'text']
    for (let length = 0; length < textCounts.bytes; length += (words.at(-1)?.length ?? 0) + 1)
      words.push(vocabulary[findIndex(cumulativeProbabilities, random())] ?? '')
    const text = words.map((word, number) => (number % 12 === 11 ? `${word}.` : word)).join(' ')
    await database.transaction(callerFor(owner), 'Added a text', () =>
      storeExtraction(owner, object, { text: { pages: [text], hasPages: false, isCut: false } }),
    )
  }
}

/** Returns numbers from 0 to 1 that are the same in every run. */
function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647 // the generator of Park and Miller
    return state / 2_147_483_647
  }
}

const syllables =
  'con re pro de in ta ver mi lo san tra pe ri no ter ba le cu ma ni dor se va li ko ran fe mo sti gu ha do pra ne tu bel'.split(' ')

/** Returns words of two to five syllables, of which many begin with the same letters. */
function createVocabulary(): string[] {
  const words = new Set<string>()
  for (let number = 0; words.size < textCounts.words; number++) {
    const digest = createHash('sha256').update(String(number)).digest() // its bytes select the number of syllables and each syllable
    const count = 2 + ((digest[0] ?? 0) % 4)
    words.add(Array.from({ length: count }, (_, index) => syllables[(digest[index + 1] ?? 0) % syllables.length]).join(''))
  }
  return [...words]
}

/**
 * Returns for each word the probability that a random word is this word or one before it. By the law of Zipf, the word at position n of the
 * vocabulary occurs 1/n times as often as the first word.
 */
function computeCumulativeProbabilities(count: number): Float64Array {
  const sums = new Float64Array(count)
  let sum = 0
  for (let index = 0; index < count; index++) {
    sum += 1 / (index + 1)
    sums[index] = sum
  }
  return sums.map((partialSum) => partialSum / sum)
}

/** Returns the index of the first word whose cumulative probability is at least `value`, by a binary search. */
function findIndex(cumulativeProbabilities: Float64Array, value: number): number {
  let low = 0
  let high = cumulativeProbabilities.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((cumulativeProbabilities[middle] ?? 1) < value) low = middle + 1
    else high = middle
  }
  return low
}
