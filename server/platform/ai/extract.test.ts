import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Reply } from '#server/testing/ai-reply.ts'
import { startAiServer } from '#server/testing/ai-server.ts'
import { measureCpuMs } from '#server/testing/cpu.ts'
import { testAi } from './testing.ts'

const Lead = z.object({ name: z.string(), email: z.nullable(z.string()) })
const json = '{"name":"Ada","email":null}'
const ada = { name: 'Ada', email: null }

/** Extracts a lead from a text, while the model gives these replies one after the other. */
async function extractWith(...replies: Reply[]) {
  await using server = await startAiServer({ respond: () => replies.shift() })
  const request = { schema: Lead, instructions: 'Find the lead.', text: 'Ada was here.' }
  const outcome = await testAi.extract(server.connection, request).catch((error: unknown) => ({ error }))
  return { ...outcome, requests: server.requests }
}

for (const [description, reply] of Object.entries({
  'JSON alone': json,
  'a code block with words before it': `Here it is:\n\`\`\`json\n${json}\n\`\`\``,
  'JSON in the middle of words': `The lead is ${json}, as far as I know.`,
  'JSON after reasoning': `<think>{"name": ?</think>${json}`,
}))
  test(`A value is read from ${description} with one request.`, async () => {
    const { requests, ...outcome } = await extractWith(reply)
    expect(outcome).toEqual({ value: ada, use: { inputTokens: 120, outputTokens: 7 } })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.instructions).toContain('"required":["name","email"]')
    expect(requests[0]?.body).toMatchObject({ temperature: 0 })
    expect(requests[0]?.body).not.toHaveProperty('response_format')
  })

for (const [description, reply] of Object.entries({
  prose: 'It is Ada.',
  'broken JSON': '{"name":"Ada",',
  'JSON that does not fit the schema': '{"nome":"Ada"}',
}))
  test(`After an answer with ${description} the model is asked once more, with the reason why its answer was not valid.`, async () => {
    const { requests, ...outcome } = await extractWith(reply, json)
    expect(outcome).toEqual({ value: ada, use: { inputTokens: 240, outputTokens: 14 } })
    expect(requests[1]?.text).toContain('That was not valid')
  })

for (const [description, text] of Object.entries({
  'brackets that are not closed': '['.repeat(200_000),
  'a code block that is not closed': `\`\`\`${' '.repeat(200_000)}`,
}))
  test(`A long answer of ${description} is searched in little time.`, async () => {
    const cpuMs = await measureCpuMs(() => extractWith(text, json))
    expect(cpuMs).toBeLessThan(5000)
  })

test('After two answers without a value, the call fails.', async () => {
  const { requests, ...outcome } = await extractWith('It is Ada.', 'Really.', json)
  expect(outcome).toMatchObject({
    error: { name: 'AiFailure', reason: 'unusable', message: 'The AI service gave an answer that could not be used.' },
  })
  expect(requests).toHaveLength(2)
})

test('JSON that was cut by the limit of the model is not used.', async () => {
  const { requests, ...outcome } = await extractWith([{ text: '{"name":"Ada","email":null},{' }, { finish: 'length' }])
  expect(outcome).toMatchObject({ error: { reason: 'unusable', message: 'The answer reached the limit of the model and was cut.' } })
  expect(requests).toHaveLength(1)
})

test('A text is answered. When the signal of a call aborts, the call fails with the reason of the signal.', async () => {
  const replies: Reply[] = [' Hello. ', [{ text: 'Hel' }, { fault: 'silence' }]]
  await using server = await startAiServer({ respond: () => replies.shift() })
  const request = { instructions: 'Greet.', text: 'Ada' }
  expect(await testAi.complete(server.connection, request)).toEqual({ text: 'Hello.', use: { inputTokens: 120, outputTokens: 7 } })
  const stop = new AbortController()
  const stopped = testAi.complete(server.connection, { ...request, signal: stop.signal })
  await expect.poll(() => server.requests.length).toBe(2)
  stop.abort(new Error('enough'))
  await expect(stopped).rejects.toThrow('enough')
  await expect.poll(() => server.requests[1]?.state).toBe('closed by the client')
})

test('A call whose answer breaks off fails and says why.', async () => {
  await using server = await startAiServer({ respond: () => [{ text: 'Hel' }, { fault: 'end' }] })
  const failed = testAi.complete(server.connection, { instructions: 'Greet.', text: 'Ada' })
  await expect(failed).rejects.toMatchObject({ reason: 'failed', message: 'The answer broke off.' })
})
