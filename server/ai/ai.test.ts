import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AiSettings, OperatorConnection } from '#server/platform/ai/settings.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { AiFailure } from '#server/platform/ai/failure.ts'
import { openAi, withAi, type OpenedAi } from './ai.ts'
import type { AiContext } from './context.ts'
import { sealKey } from './keys.ts'

const operatorConnection: OperatorConnection = {
  baseUrl: 'https://operator.example/v1',
  key: { reveal: () => 'the key of the operator' },
  model: 'large',
  imageModel: undefined,
  inputPrice: 0.5,
  outputPrice: 2,
}
const installationKey = 'the key of an installation in tests'

let app: TestApp
let ada: Person
let now = new Date('2026-11-23T12:00:00Z')
beforeAll(async () => void (app = await openTestApp()))
afterAll(() => app.stop())
beforeEach(async () => {
  now = new Date('2026-11-23T12:00:00Z')
  ada = await signInAs(app, 'ada') // in the time zone of London
})

const contextWith = (ai: Partial<AiSettings> = {}): AiContext => ({
  database: app.database,
  now: () => now,
  installationKey,
  settings: { ai: { connection: operatorConnection, maxTokensPerDay: undefined, ...ai } },
})
const open = (ai?: Partial<AiSettings>): Promise<OpenedAi> => openAi(contextWith(ai), { owner: ada.id })
const refusalOf = async (attempt: Promise<unknown>): Promise<string> => {
  const error: unknown = await attempt.then(
    () => 'none',
    (reason: unknown) => reason,
  )
  return error instanceof Refusal ? error.code : String(error)
}
const storeConnection = async (baseUrl: string, key: string, sealedWith = installationKey) => {
  await app.tableOwner.query(
    `insert into ai_connections (user_id, id, base_url, sealed_key, model, input_price, output_price) values ($1, $1, $2, $3, 'own', 10, 20)`,
    [ada.id, baseUrl, sealKey({ installationKey: sealedWith }, ada.id, baseUrl, key)],
  )
}
const readUsage = async () =>
  (
    await app.tableOwner.query(
      `select day::text, is_limited, answers, images, input_tokens::int, output_tokens::int, cost from ai_usage where user_id = $1 order by day, is_limited`,
      [ada.id],
    )
  ).rows

test('without any connection the AI is off', async () => {
  expect(await refusalOf(open({ connection: undefined }))).toBe('ai_off')
})

test('the connection of the operator is used if the owner has none', async () => {
  const { connection } = await open()
  expect(connection).toMatchObject({ baseUrl: 'https://operator.example/v1', key: 'the key of the operator', model: 'large' })
})

test('an answer is not lost if its tokens cannot be counted, and a warning says so', async () => {
  await app.tableOwner.query(`alter table ai_usage add constraint no_use check (user_id <> '${ada.id}')`)
  const warning = new Promise<Error>((resolve) => process.once('warning', resolve))
  expect(await withAi(contextWith(), { owner: ada.id }, async () => 'the answer')).toBe('the answer')
  expect((await warning).message).toContain('no_use')
  await app.tableOwner.query('alter table ai_usage drop constraint no_use')
})

test('the own connection takes precedence, with the key that was sealed for it', async () => {
  await storeConnection('https://own.example/v1', 'own key')
  expect((await open()).connection).toEqual({
    baseUrl: 'https://own.example/v1',
    key: 'own key',
    model: 'own',
    imageModel: undefined,
    capabilities: { tools: null, structured_output: null, vision: null, images: null },
  })
  const grace = await signInAs(app, 'grace')
  expect((await openAi(contextWith(), { owner: grace.id })).connection.model).toBe('large')
})

test('after a change of the key of the installation, the owner must enter their AI key again; the operator’s connection does not replace it', async () => {
  await storeConnection('https://own.example/v1', 'own key', 'an earlier key of the installation')
  expect(await refusalOf(open())).toBe('ai_key_lost')
})

test('a sealed key is not given out for another origin or another owner', async () => {
  await storeConnection('https://own.example/v1', 'own key')
  await app.tableOwner.query(`update ai_connections set base_url = 'https://own.example:444/v1' where user_id = $1`, [ada.id])
  expect(await refusalOf(open())).toBe('ai_key_lost')
  const grace = await signInAs(app, 'grace')
  await app.tableOwner.query(`update ai_connections set user_id = $2, id = $2, base_url = 'https://own.example/v1' where user_id = $1`, [
    ada.id,
    grace.id,
  ])
  expect(await refusalOf(openAi(contextWith(), { owner: grace.id }))).toBe('ai_key_lost')
})

test('countUse adds answers, pictures, tokens and cost to the day of the owner', async () => {
  const { countUse } = await open()
  expect(await countUse({ inputTokens: 1_000_000, outputTokens: 500_000 })).toBe(1.5)
  // pictures are no answer, and count as 4,000 tokens each
  expect(await countUse({ inputTokens: undefined, outputTokens: undefined, images: 2 })).toBeNull()
  expect(await readUsage()).toEqual([
    { day: '2026-11-23', is_limited: true, answers: 1, images: 2, input_tokens: 1_000_000, output_tokens: 500_000 + 2 * 4000, cost: 1.5 },
  ])
})

test('a day begins at midnight in the time zone of the owner', async () => {
  await app.tableOwner.query(`update profiles set timezone = 'Pacific/Auckland' where user_id = $1`, [ada.id])
  for (const time of ['2026-11-23T10:59:59Z', '2026-11-23T11:00:00Z']) {
    now = new Date(time)
    await (await open()).countUse({ inputTokens: 1, outputTokens: 1 })
  }
  expect((await readUsage()).map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-24'])
})

test('counts that are not positive whole numbers add nothing', async () => {
  const { countUse } = await open()
  expect(await countUse({ inputTokens: -5, outputTokens: NaN })).toBe(0)
  await countUse({ inputTokens: 1.5, outputTokens: Infinity })
  expect(await readUsage()).toMatchObject([{ input_tokens: 0, output_tokens: 0 }])
})

test('uses of many answers at the same time are all counted', async () => {
  const openedAnswers = await Promise.all(Array.from({ length: 20 }, () => open()))
  await Promise.all(openedAnswers.map(({ countUse }) => countUse({ inputTokens: 3, outputTokens: 4 })))
  expect(await readUsage()).toMatchObject([{ answers: 20, input_tokens: 60, output_tokens: 80 }])
})

test('tokens that the endpoint did not report are estimated, so that a stopped answer counts towards the limit', async () => {
  const { countUse } = await open()
  expect(await countUse({ inputTokens: undefined, outputTokens: undefined, characters: 4001 })).toBeNull()
  await countUse({ inputTokens: 10, outputTokens: 1 })
  // 4,001 characters count as 1,001 tokens
  expect(await readUsage()).toMatchObject([{ answers: 2, input_tokens: 1001 + 10, output_tokens: 1 }])
})

test('there is no cost without prices', async () => {
  const { countUse } = await open({ connection: { ...operatorConnection, inputPrice: null, outputPrice: null } })
  expect(await countUse({ inputTokens: 1000, outputTokens: 1000 })).toBeNull()
  expect(await readUsage()).toMatchObject([{ cost: null }])
})

test('withAi adds up the tokens of several requests to the model and counts them as one answer, also if a later one fails', async () => {
  const work = withAi(contextWith(), { owner: ada.id }, async (_connection, count) => {
    count({ inputTokens: 10, outputTokens: 1 })
    count({ inputTokens: 20, outputTokens: undefined })
    throw new AiFailure('no_answer')
  })
  await expect(work).rejects.toMatchObject({ code: 'ai_failed', extras: { detail: 'The AI service did not answer in time.' } })
  expect(await readUsage()).toMatchObject([{ answers: 1, input_tokens: 30, output_tokens: 1 }])
})

test('withAi ends work of several requests to the model when they have used the tokens of the day', async () => {
  let requests = 0
  const work = withAi(contextWith({ maxTokensPerDay: 100 }), { owner: ada.id }, async (_connection, count, requireTokens) => {
    for (;;) {
      requireTokens()
      requests++
      count(requests === 1 ? { inputTokens: 40, outputTokens: 10 } : { inputTokens: undefined, outputTokens: undefined, characters: 100 })
    }
  })
  await expect(work).rejects.toMatchObject({ code: 'ai_limit' })
  expect(requests).toBe(3) // 50 tokens, and then twice 25 for 100 characters
  expect(await readUsage()).toMatchObject([{ answers: 1, input_tokens: 90, output_tokens: 10 }])
})

describe('with a limit of tokens per day', () => {
  // each answer reserves 20,000 tokens until it ends, so five answers can run at the same time
  const limit = { maxTokensPerDay: 100_000 }

  test('the AI of the operator is refused when the tokens of the day are used up, and works again on the next day', async () => {
    const { countUse } = await open(limit)
    await countUse({ inputTokens: 60_000, outputTokens: 40_000 })
    expect(await refusalOf(open(limit))).toBe('ai_limit')
    const grace = await signInAs(app, 'grace')
    expect(await refusalOf(openAi(contextWith(limit), { owner: grace.id }))).toBe('none')
    now = new Date('2026-11-24T00:00:00Z')
    expect(await refusalOf(open(limit))).toBe('none')
  })

  test('of 20 simultaneous answers, those start whose reservations fit into the limit; others can start when these end', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => open(limit)))
    const openedAnswers = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
    expect(openedAnswers).toHaveLength(5)
    expect(await refusalOf(open(limit))).toBe('too_many_requests')
    await Promise.all(openedAnswers.map(({ countUse }) => countUse({ inputTokens: 10, outputTokens: 10 })))
    expect(await refusalOf(open(limit))).toBe('none')
  })

  test('an answer that sent no request to the endpoint can be released, and counts nothing', async () => {
    const openedAnswers = []
    for (let started = 0; started < 5; started++) openedAnswers.push(await open(limit))
    expect(await refusalOf(open(limit))).toBe('too_many_requests')
    await openedAnswers[0]?.release()
    expect(await refusalOf(open(limit))).toBe('none')
    expect(await readUsage()).toEqual([])
  })

  test('an answer that never ends, as after a crash, counts for a quarter of an hour', async () => {
    for (let started = 0; started < 5; started++) await open(limit)
    expect(await refusalOf(open(limit))).toBe('too_many_requests')
    now = new Date(now.getTime() + 15 * 60 * 1000)
    expect(await refusalOf(open(limit))).toBe('none')
    const { rowCount } = await app.tableOwner.query('select from ai_reservations where user_id = $1', [ada.id])
    expect(rowCount).toBe(1)
  })

  test('pictures count towards the limit, although most endpoints report no tokens for them', async () => {
    await (await open({ maxTokensPerDay: 8000 })).countUse({ inputTokens: undefined, outputTokens: undefined, images: 2 })
    expect(await refusalOf(open({ maxTokensPerDay: 8000 }))).toBe('ai_limit')
  })

  test('an own service is not limited, but the service of the operator and servers on the machine of Foyer are', async () => {
    const use = async (baseUrl: string) => {
      await app.tableOwner.query('delete from ai_connections where user_id = $1', [ada.id])
      await storeConnection(baseUrl, '')
      await (await open(limit)).countUse({ inputTokens: 100_000, outputTokens: 0 })
    }
    await use('https://own.example/v1')
    expect(await refusalOf(open(limit))).toBe('none')
    await use('https://operator.example/other')
    for (const baseUrl of ['http://127.0.0.1:11434/v1', 'http://localhost:1234/v1', 'http://[::1]:1234/v1'])
      expect(await refusalOf(use(baseUrl)), baseUrl).toBe('ai_limit')
    expect(await readUsage()).toMatchObject([
      { is_limited: false, input_tokens: 100_000, cost: 1 },
      { is_limited: true, input_tokens: 100_000 },
    ])
  })
})
