import { expect, test } from 'vitest'
import { openTestJobs } from '#server/testing/jobs.ts'
import { startMailServer, type MailBehavior } from '#server/testing/mail.ts'
import { createMailJobHandler } from './job.ts'
import { createMail } from './mail.ts'

/** A mail with a link that sets a new password. */
const resetMail = { to: 'ada@example.org', subject: 'A new password', text: 'https://foyer.test/auth/reset?token=secret\n' }

/** The type of a job that does nothing. Adding one makes the worker look at the queue at once; `advance` alone does not wake the worker. */
const wakingJobType = 'wake the worker'

/** Starts a mail server and a queue with a worker that sends mails to it. */
async function openMailQueue() {
  const server = await startMailServer()
  const queue = await openTestJobs()
  const ada = await queue.newOwner()
  const mail = createMail({ smtpUrl: server.url, from: 'foyer@crm.example' })
  const { type, ...handler } = createMailJobHandler(mail, queue.now)
  await queue.startWorker({ handlers: { [type]: handler, [wakingJobType]: async () => {} } })
  const close = async (): Promise<void> => {
    await queue[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { server, queue, ada, [Symbol.asyncDispose]: close }
}

test('a mail in the queue is sent, and its job is deleted, because it has a secret link', async () => {
  await using setup = await openMailQueue()
  await setup.queue.addJob(setup.ada, 'mail', resetMail)
  await expect.poll(() => setup.server.received.map(({ to, text }) => [to, text])).toEqual([[['ada@example.org'], resetMail.text]])
  await expect.poll(setup.queue.readJobs).toEqual([])
})

test.each<[string, MailBehavior, number]>([
  ['responds with 451, a temporary failure', { refuse: 451, refusedPart: 'address' }, 1],
  ['closes the connection before it receives the mail', 'disconnect before mail', 1],
  ['closes the connection after it has received the mail', 'disconnect after mail', 2],
])('when the mail server %s, the mail is sent again with the same message id', async (_title, behavior, receivedCopies) => {
  await using setup = await openMailQueue()
  const { queue, server, ada } = setup
  server.setBehavior(behavior)
  await queue.addJob(ada, 'mail', resetMail)
  await expect.poll(queue.readJobs).toMatchObject([{ attempts: 1, taken_by: null, failed_at: null, payload: resetMail }])
  server.setBehavior('accept')
  queue.advance(10)
  await queue.addJob(ada, wakingJobType)
  await expect.poll(queue.readJobs).toEqual([])
  const ids = server.received.map(({ headers }) => headers.find((line) => line.startsWith('Message-ID:')))
  expect([ids.length, new Set(ids).size]).toEqual([receivedCopies, 1])
})

test('a mail is tried again until the link in it expires, and then its job keeps the error but not the mail', async () => {
  await using setup = await openMailQueue()
  const { queue, server, ada } = setup
  const startMs = queue.now().getTime()
  server.setBehavior({ refuse: 451, refusedPart: 'address' })
  await queue.addJob(ada, 'mail', { ...resetMail, expires_at: new Date(startMs + 3_600_000).toISOString() })
  for (let attempts = 1; attempts <= 11; attempts++) {
    await expect.poll(queue.readJobs).toMatchObject([{ attempts, taken_by: null, failed_at: null, payload: resetMail }])
    const { rows } = await queue.tableOwner.query<{ run_at: Date }>('select run_at from jobs.jobs')
    queue.advance(((rows[0]?.run_at.getTime() ?? 0) - queue.now().getTime()) / 1000)
    await queue.addJob(ada, wakingJobType)
  }
  await expect
    .poll(queue.readJobs)
    .toMatchObject([{ attempts: 12, reason: 'expired', error: expect.stringContaining('expired'), failed_at: queue.now(), payload: {} }])
  // the pauses between 12 attempts: 10, 20, 40, 80, 160 and 320 seconds, then five times 600 seconds
  expect((queue.now().getTime() - startMs) / 60_000).toBeCloseTo(60.5)
})

test('a mail without an expiry is sent even if the mail server accepts it only after a day', async () => {
  await using setup = await openMailQueue()
  const { queue, server, ada } = setup
  server.setBehavior({ refuse: 451, refusedPart: 'address' })
  await queue.addJob(ada, 'mail', resetMail)
  await expect.poll(queue.readJobs).toMatchObject([{ attempts: 1, taken_by: null }])
  await queue.tableOwner.query('update jobs.jobs set attempts = 144') // the attempts of 23 hours
  queue.advance(10)
  await queue.addJob(ada, wakingJobType)
  await expect.poll(queue.readJobs).toMatchObject([{ attempts: 145, taken_by: null, failed_at: null, payload: resetMail }])
  server.setBehavior('accept')
  queue.advance(600)
  await queue.addJob(ada, wakingJobType)
  await expect.poll(() => server.received.length).toBe(1)
  await expect.poll(queue.readJobs).toEqual([])
})

test('the job of a refused mail fails immediately with an error message, and its payload is deleted', async () => {
  await using setup = await openMailQueue()
  setup.server.setBehavior({ refuse: 550, refusedPart: 'address' }) // a permanent failure
  await setup.queue.addJob(setup.ada, 'mail', resetMail)
  await expect.poll(setup.queue.readJobs).toMatchObject([
    {
      attempts: 1,
      failed_at: setup.queue.now(),
      reason: 'refused',
      error: 'The mail server refused the mail: 550 not today',
      payload: {},
    },
  ])
})

test('a mail job fails with an error message when no mail server is configured', async () => {
  await using queue = await openTestJobs()
  const mail = createMail({ smtpUrl: undefined, from: 'foyer@crm.example' })
  await queue.startWorker({ handlers: { mail: createMailJobHandler(mail, queue.now).run } })
  await queue.addJob(await queue.newOwner(), 'mail', resetMail)
  await expect
    .poll(queue.readJobs)
    .toMatchObject([{ reason: 'off', error: expect.stringContaining('This server sends no mail'), payload: {} }])
})
