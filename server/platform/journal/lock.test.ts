import { beforeAll, expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { eraseAll, eraseRow } from './erase.ts'
import { restore, undo } from './undo.ts'

// Undo, restore and erase of one owner wait for each other. `commitDuringWait` commits the first write while the second one waits for it.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  return workspace.stop
})

/** Creates a contact in the trash and returns the change set that deleted it. */
async function addDeletedContact(): Promise<{ caller: Caller; id: string; changeId: string }> {
  const caller = await workspace.newOwner()
  const id = newId()
  await workspace.change(caller, 'Added contact', () => sql('insert into crm_contacts (id) values ($1)', [id]))
  return {
    caller,
    id,
    changeId: await workspace.change(caller, 'Deleted 1 contact', () => sql('delete from crm_contacts where id = $1', [id])),
  }
}

const readContact = (caller: Caller, id: string) =>
  workspace.database.read(caller, () => sql('select from crm_contacts where id = $1', [id]))
/** Returns "done", or the code of the error. */
const readOutcome = (work: Promise<unknown>) => work.then(() => 'done').catch((error: { code: string }) => error.code)

test.each([
  ['a restore', (id: string) => restore(id)],
  ['an undo', (_id: string, changeId: string) => undo(changeId)],
])('a concurrent erase waits for %s, and does not erase the restored row', async (_name, restoreRow) => {
  for (const erase of [eraseRow, eraseAll]) {
    const { caller, id, changeId } = await addDeletedContact()
    const eraseContact = () => readOutcome(workspace.database.transaction(caller, 'Erased for good', () => erase(id)))
    const outcome = await commitDuringWait({ ...workspace, caller, first: () => restoreRow(id, changeId), second: eraseContact })
    expect(outcome).toBe(erase === eraseRow ? 'not_found' : 'done') // `eraseAll` finds an empty trash, which is no error
    expect(await readContact(caller, id)).toHaveLength(1)
    // the journal still has the row: it can be deleted and restored again
    await workspace.change(caller, 'Deleted', () => sql('delete from crm_contacts where id = $1', [id]))
    expect(await readOutcome(workspace.change(caller, 'Restored', () => restore(id)))).toBe('done')
  }
})

test('a concurrent restore waits for an erase, and then fails with not_found', async () => {
  const { caller, id, changeId } = await addDeletedContact()
  const restoreContact = () => readOutcome(workspace.database.transaction(caller, 'Restored', () => restore(id)))
  expect(await commitDuringWait({ ...workspace, caller, first: () => eraseRow(id), second: restoreContact })).toBe('not_found')
  expect(await readContact(caller, id)).toHaveLength(0)
  expect(await readOutcome(workspace.change(caller, 'Undone', () => undo(changeId)))).toBe('nothing_left')
  expect(await readContact(caller, id)).toHaveLength(0)
})
