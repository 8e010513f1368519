// Every journaled route of the contract, by itself: its example, undone, redone, and every row of the owner compared.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestHouse, type TestHouse } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/cast.ts'
import { routesOfTheHouse } from '#server/testing/routes.ts'
import { rowsOf } from '#server/testing/rows.ts'
import { exampleRequest, furnish } from '#server/testing/world.ts'

let house: TestHouse
beforeAll(async () => {
  house = await openTestHouse()
})
afterAll(() => house.stop())

const routes = routesOfTheHouse.map((route) => ({ route, name: `${route.method} ${route.path}` }))

test.each(routes.filter(({ route }) => route.changes === 'journaled'))('$name can be undone and redone', async ({ route }) => {
  const ada = await signInAs(house, 'ada')
  const request = exampleRequest(route, await furnish(ada), ada.email)
  const before = await rowsOf(house, ada.id)

  const answer = await ada.ask(request)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  const after = await rowsOf(house, ada.id)
  expect(after).not.toEqual(before)

  const undone = await undo(ada, String(answer.headers['foyer-change']))
  expect(await rowsOf(house, ada.id)).toEqual(before)

  await undo(ada, undone)
  expect(await rowsOf(house, ada.id)).toEqual(after)
})

test.each(routes.filter(({ route }) => route.method !== 'GET' && route.changes !== 'journaled'))(
  '$name says why it has no inverse, and leaves no change behind that pretends to be one',
  async ({ route }) => {
    expect(route.changes).toHaveProperty('noInverse')
    const ada = await signInAs(house, 'ada')
    const answer = await ada.ask(exampleRequest(route, await furnish(ada), ada.email))
    if (!route.path.startsWith('/api/trash')) expect(answer.headers['foyer-change']).toBeUndefined()
  },
)

async function undo(person: Person, change: string): Promise<string> {
  const answer = await person.ask({ method: 'POST', url: `/api/changes/${change}/undo` })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json().kept).toEqual([])
  return answer.json().id
}
