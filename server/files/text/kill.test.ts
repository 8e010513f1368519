// A server process is killed while its child process reads the text of a file. The child process ends too, another server process reads the
// file, and no temporary file is left.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDiskStorage } from '#server/platform/storage/disk.ts'
import { cloneDatabase, openTestApp } from '#server/testing/app.ts'
import { createPdf } from '#server/testing/documents.ts'
import { createFileClient, waitForText } from '#server/testing/files.ts'
import { signInAs } from '#server/testing/people.ts'
import { findTextPrograms, isRunning } from '#server/testing/processes.ts'
import { startServerProcess } from '#server/testing/server-process.ts'
import { waitUntil } from '#server/testing/wait.ts'

test('a file whose reading was interrupted by SIGKILL gets its text after the restart', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-test-files-'))
  const connections = await cloneDatabase()
  const options = { connections, storage: openDiskStorage(folder) }
  const appBefore = await openTestApp(options)
  const { token } = await signInAs(appBefore, 'ada')
  await appBefore.stop()

  await using server = await startServerProcess({ connections, storage: { folder } })
  const file = await createFileClient(server.address, token).upload(createPdf(['Interrupted']), { file_name: 'letter.pdf' })
  const programId = await waitUntil(() => findTextPrograms(server.pid)[0])
  process.kill(programId, 'SIGSTOP') // so that it is still reading when the server ends
  await server.kill()
  process.kill(programId, 'SIGCONT')
  await expect.poll(() => isRunning(programId)).toBe(false)

  const appAfter = await openTestApp(options)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => appAfter.stop())
  stack.defer(() => rmSync(folder, { recursive: true }))
  const ada = { send: (request: object) => appAfter.server.inject({ ...request, headers: { authorization: `Bearer ${token}` } }) }
  expect(await waitForText(ada, file)).toMatchObject({ state: 'ready', text: 'Interrupted\n' })
  const listTemporaryCopies = (): string[] => readdirSync(tmpdir()).filter((name) => /^foyer-[0-9a-f]{8}-/.test(name))
  await expect.poll(listTemporaryCopies).toEqual([])
})
