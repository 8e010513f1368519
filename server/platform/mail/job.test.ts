import { expect, test } from 'vitest'
import { openTestJobs } from '#server/testing/jobs.ts'
import { startMailServer, type Manners } from '#server/testing/mail.ts'
import { handleMailJobs } from './job.ts'
import { createMail } from './mail.ts'

const link = { to: 'ada@example.org', subject: 'A new password', text: 'https://foyer.test/auth/reset?token=secret\n' }

async function openMailQueue() {
  const server = await startMailServer()
  const queue = await openTestJobs()
  const ada = await queue.newOwner()
  const mail = createMail({ smtpUrl: server.url, from: 'foyer@crm.example' })
  await queue.work({ handlers: { mail: handleMailJobs(mail).run, wake: async () => {} } })
  const close = async (): Promise<void> => {
    await queue[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { server, queue, ada, [Symbol.asyncDispose]: close }
}

test('a mail in the queue is sent, and its link is deleted from the database', async () => {
  await using opened = await openMailQueue()
  await opened.queue.add(opened.ada, 'mail', link)
  await expect.poll(() => opened.server.received.map(({ to, text }) => [to, text])).toEqual([[['ada@example.org'], link.text]])
  await expect.poll(opened.queue.jobs).toEqual([])
})

test.each<[string, Manners, number]>([
  ['answers 451', { refuse: 451, at: 'address' }, 1],
  ['hangs up', 'hang up before', 1],
  ['hangs up when it has the mail', 'hang up after', 2],
])('when the server %s the mail is sent again with the same message id', async (_what, manners, copies) => {
  await using opened = await openMailQueue()
  const { queue, server, ada } = opened
  server.behave(manners)
  await queue.add(ada, 'mail', link)
  await expect.poll(queue.jobs).toMatchObject([{ attempts: 1, taken_by: null, failed_at: null, payload: link }])
  server.behave('take')
  queue.advance(10)
  await queue.add(ada, 'wake')
  await expect.poll(queue.jobs).toEqual([])
  const ids = server.received.map(({ headers }) => headers.find((line) => line.startsWith('Message-ID:')))
  expect([ids.length, new Set(ids).size]).toEqual([copies, 1])
})

test('a mail that is refused fails immediately with a sentence, and its link is deleted', async () => {
  await using opened = await openMailQueue()
  opened.server.behave({ refuse: 550, at: 'address' })
  await opened.queue.add(opened.ada, 'mail', link)
  await expect.poll(opened.queue.jobs).toMatchObject([
    {
      attempts: 1,
      failed_at: opened.queue.now(),
      reason: 'refused',
      error: 'The mail server refused the mail: 550 not today',
      payload: {},
    },
  ])
})

test('a job fails with a sentence when mail is off', async () => {
  await using queue = await openTestJobs()
  await queue.work({ handlers: { mail: handleMailJobs(createMail({ smtpUrl: undefined, from: 'foyer@crm.example' })).run } })
  await queue.add(await queue.newOwner(), 'mail', link)
  await expect.poll(queue.jobs).toMatchObject([{ reason: 'off', error: expect.stringContaining('This server sends no mail'), payload: {} }])
})
