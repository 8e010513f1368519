import { expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { createIdentity } from '#server/platform/identity.ts'
import { openTestApp } from '#server/testing/app.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

test('an import does not close a circle with a manager that is set at the same time', async () => {
  const app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const [imports, contacts] = [importsOf(ada), recordsOf(ada, '/api/contacts')]
  const ann = await contacts.add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org' })
  const bob = await contacts.add({ first_name: 'Bob', last_name: 'Ray', email: 'bob@example.org' })
  const { id } = await imports.upload('First name,Last name,Email,Reports to\nAnn,Lee,ann@example.org,Bob Ray\n')
  const setManager = async (): Promise<void> => {
    await sql('select app.refuse_circle(array[$1::uuid], $2)', [bob.id, ann.id])
    await sql('update crm_contacts set reports_to_id = $3 where user_id = $1 and id = $2', [ada.id, bob.id, ann.id])
  }
  const runImport = async () => {
    await imports.start(id)
    return imports.waitForEnd(id)
  }
  const caller = createIdentity(ada.id, 'user')
  await commitDuringWait({ ...app.context, ...app, caller, first: setManager, second: runImport })
  expect((await contacts.get(bob.id))['reports_to_id']).toBe(ann.id)
  expect(await contacts.get(ann.id)).toMatchObject({ reports_to_id: null, raw_data: { 'Reports to': 'Bob Ray' } })
  await app.stop()
})
