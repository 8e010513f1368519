// The page about the API: its commands are run by a shell, with real values for their placeholders.
import { contentPages } from '#server/testing/pages.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { exampleNames } from '#contract/examples.ts'
import { scopesOf } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addExamples, type ExampleIds } from '#server/testing/examples.ts'
import { createApiKey, signInAs } from '#server/testing/people.ts'
import { findFreePort } from '#server/testing/port.ts'
import { placeholderOf } from './command.ts'

const Route = z.looseObject({ method: z.string(), path: z.string(), scopes: z.array(z.string()), command: z.string() })
const Content = z.looseObject({ leadCommand: z.string(), groups: z.array(z.looseObject({ title: z.string(), routes: z.array(Route) })) })

let app: TestApp
let key: string
let ids: ExampleIds
let content: z.infer<typeof Content>
beforeAll(async () => {
  const port = await findFreePort()
  app = await openTestApp({ address: `http://127.0.0.1:${port}`, pages: contentPages })
  await app.server.listen({ port, host: '127.0.0.1' })
  const ada = await signInAs(app, 'ada')
  ids = await addExamples(app, ada)
  key = (await createApiKey(app, ada, 'read', 'write', 'leads')).key
  content = Content.parse((await app.server.inject('/api-docs')).json().content)
})
afterAll(() => app.stop())

/** Routes that need a picture. They are not called, because the file of the examples is a text. */
const pictureRoutes = ['/functions/v1/ai-image-gen/{id}', '/api/files/{id}/thumbnail']

/** Runs a command of the page with the key and the ids of the examples. Returns the status and the body of the response. */
async function run(command: string): Promise<{ status: number; body: string }> {
  const withIds = exampleNames.reduce(
    (text, name) => text.replaceAll(new RegExp(`\\b${placeholderOf(name)}\\b`, 'g'), ids[name] ?? ''),
    command,
  )
  const complete = withIds.replaceAll('YOUR_API_KEY', key).replaceAll('-o FILE', '-o /dev/null')
  const { stdout } = await promisify(execFile)('sh', ['-c', `${complete} -s -w '\\n%{http_code}'`])
  const [status = '', ...lines] = stdout.split('\n').toReversed()
  return { status: Number(status), body: lines.toReversed().join('\n') }
}

test('the page lists the routes that a key may call, with their scopes, and no others', () => {
  const listed = content.groups.flatMap(({ routes }) => routes)
  expect(listed.map(({ method, path, scopes }) => `${method} ${path} ${scopes.join()}`).toSorted()).toEqual(
    allRoutes
      .filter((route) => scopesOf(route).length > 0)
      .map((route) => `${route.method} ${route.path} ${scopesOf(route).join()}`)
      .toSorted(),
  )
  expect(content.groups[0]?.title).toBe('Functions')
  // the ids in the examples of the contract begin with this; the commands have placeholders instead
  expect(JSON.stringify(content.groups)).not.toContain('01930000-0000-7000-8000-00000000000')
})

test('the command that sends a lead succeeds', async () => {
  const { status, body } = await run(content.leadCommand)
  expect([status, JSON.parse(body)]).toEqual([200, { success: true, contact_id: expect.any(String) }])
})

test('all commands of reading routes succeed', { timeout: 300_000 }, async () => {
  const events = new Set<string>(allRoutes.filter((route) => route.events).map(({ path }) => path))
  const reading = content.groups
    .flatMap(({ routes }) => routes)
    .filter(({ scopes, path }) => scopes.includes('read') && ![...events, ...pictureRoutes].includes(path))
  expect(reading.length).toBeGreaterThan(50)
  const statuses = await Promise.all(reading.map(async ({ method, path, command }) => [`${method} ${path}`, (await run(command)).status]))
  expect(statuses.filter(([, status]) => Number(status) >= 300)).toEqual([])
})

test('the commands that add records succeed', { timeout: 300_000 }, async () => {
  const creating = allRoutes
    .filter(({ status, changes }) => status === 201 && changes === 'journaled')
    .map(({ method, path }) => `${method} ${path}`)
  const commands = content.groups.flatMap(({ routes }) => routes).filter(({ method, path }) => creating.includes(`${method} ${path}`))
  expect(commands.length).toBeGreaterThan(5)
  for (const { path, command } of commands.filter((each) => !each.command.includes('@FILE'))) {
    const { status, body } = await run(command)
    const isTaken = status === 409 || status === 422 // the record of the example exists already
    expect(isTaken || status === 201, `${path} ${body}`).toBe(true)
  }
})
