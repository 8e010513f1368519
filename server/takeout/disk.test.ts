// The download of everything is refused when the disk of the database has too little space, because it first copies all rows to a disk.
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { readFreeBytes } from '#server/platform/database/disk-watch.ts'
import { openTestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'

test('a download of everything is not prepared and not sent while the disk of the database has too little space', async () => {
  const app = await openTestApp()
  const ada = await signInAs(app, 'ada')
  const payload = { password: 'engine no. 1' }
  const { url } = (await ada.send({ method: 'POST', url: '/api/takeout', payload })).json()
  const disk = { folders: [tmpdir()], minFreeBytes: 2 * readFreeBytes(tmpdir()) }
  const appWithLowDisk = await openTestApp({ connections: app.connections, disk })
  const headers = { authorization: `Bearer ${ada.token}` }
  const refusals = [
    await appWithLowDisk.server.inject({ method: 'POST', url: '/api/takeout', payload, headers }),
    await appWithLowDisk.server.inject({ url, headers }),
  ]
  expect(refusals.map((response) => [response.statusCode, response.json().code])).toEqual([
    [507, 'storage_full'],
    [507, 'storage_full'],
  ])
  expect((await ada.send({ url })).statusCode).toBe(200)
  await appWithLowDisk.stop()
  await app.stop()
})
