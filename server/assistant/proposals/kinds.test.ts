// The assistant proposes new records, changes and deletions of every kind that its tools cover, and its owner confirms them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordKinds } from '#contract/kinds.ts'
import type { Route } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addExamples, createExampleRequest } from '#server/testing/examples.ts'
import { signInAs } from '#server/testing/people.ts'
import { propose } from '#server/testing/proposals.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** The kinds that the assistant's tools do not cover (`omittedKinds` in `tools/kinds.ts`). */
const omittedKinds: readonly string[] = ['conversation', 'booking link', 'lead form', 'submission']
const kinds = Object.values(recordKinds).filter(({ singular }) => !omittedKinds.includes(singular))
const find = (method: Route['method'], path: string) => allRoutes.find((route) => route.method === method && route.path === path)

type Fields = Record<string, unknown>
const cases = kinds.flatMap(({ singular, plural }) => [
  { singular, plural, tool: 'propose_create', route: find('POST', `/api/${plural}`), toInput: (fields: Fields) => ({ records: [fields] }) },
  {
    singular,
    plural,
    tool: 'propose_update',
    route: find('PATCH', `/api/${plural}/{id}`),
    toInput: (fields: Fields, records: string[]) => ({ records, fields }),
  },
  {
    singular,
    plural,
    tool: 'propose_delete',
    route: find('DELETE', `/api/${plural}/{id}`),
    toInput: (_fields: Fields, records: string[]) => ({ records }),
  },
])

test.each(cases.filter(({ route }) => route))(
  '$tool of a $singular with the example of the contract is applied',
  async ({ singular, plural, tool, route, toInput }) => {
    if (!route) throw new Error('The case has no route')
    const ada = await signInAs(app, 'ada')
    const ids = await addExamples(app, ada)
    const { payload = '{}' } = createExampleRequest(route, ids, ada.email)
    const fields: Fields = JSON.parse(payload)
    const records = [`foyer:${singular}/${ids[singular]}`]
    const proposal = await propose(app, ada, [[tool, { kind: singular, ...toInput(fields, records) }]])
    expect(proposal.items).toMatchObject([{ kind: singular, decision: 'open', title: expect.stringMatching(/./) }])
    const response = await ada.send({
      method: 'POST',
      url: `/api/proposals/${proposal.id}/apply`,
      payload: { items: [{ key: 'c1' }] },
    })
    expect(response.statusCode, response.body).toBe(200)
    const { items } = response.json()
    const record = await ada.send({ url: `/api/${plural}/${items[0].id}` })
    expect(record.statusCode).toBe(tool === 'propose_delete' ? 404 : 200)
    const { company: _, ...applied } = items[0].fields // a contact gets the name of its linked company
    if (tool !== 'propose_delete') expect(record.json()).toMatchObject(applied)
  },
)
