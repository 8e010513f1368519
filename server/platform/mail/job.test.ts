import { expect, test } from 'vitest'
import { openTestJobs } from '#server/testing/jobs.ts'
import { startMailServer, type Manners } from '#server/testing/mail.ts'
import { mailTask } from './job.ts'
import { createMail } from './mail.ts'

const link = { to: 'ada@example.org', subject: 'A new password', text: 'https://foyer.test/auth/reset?token=secret\n' }

async function openPostOffice() {
  const server = await startMailServer()
  const place = await openTestJobs()
  const ada = await place.newOwner()
  const mail = createMail({ smtpUrl: server.url, from: 'foyer@crm.example' })
  await place.work({ tasks: { mail: mailTask(mail), wake: async () => {} } })
  const close = async (): Promise<void> => {
    await place[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  }
  return { server, place, ada, [Symbol.asyncDispose]: close }
}

test('a mail in the queue is sent, and its link is gone from the database', async () => {
  await using office = await openPostOffice()
  await office.place.ask(office.ada, 'mail', link)
  await expect.poll(() => office.server.received.map(({ to, text }) => [to, text])).toEqual([[['ada@example.org'], link.text]])
  await expect.poll(office.place.jobs).toEqual([])
})

test.each<[string, Manners, number]>([
  ['answers 451', { refuse: 451, at: 'address' }, 1],
  ['hangs up', 'hang up before', 1],
  ['hangs up when it has the mail', 'hang up after', 2],
])('when the server %s the mail is tried again, under the same id', async (_what, manners, copies) => {
  await using office = await openPostOffice()
  const { place, server, ada } = office
  server.behave(manners)
  await place.ask(ada, 'mail', link)
  await expect.poll(place.jobs).toMatchObject([{ attempts: 1, taken_by: null, failed_at: null, payload: link }])
  server.behave('take')
  place.advance(10)
  await place.ask(ada, 'wake')
  await expect.poll(place.jobs).toEqual([])
  const ids = server.received.map(({ headers }) => headers.find((line) => line.startsWith('Message-ID:')))
  expect([ids.length, new Set(ids).size]).toEqual([copies, 1])
})

test('a mail that is refused fails at once with a sentence, and its link is gone', async () => {
  await using office = await openPostOffice()
  office.server.behave({ refuse: 550, at: 'address' })
  await office.place.ask(office.ada, 'mail', link)
  await expect.poll(office.place.jobs).toMatchObject([
    {
      attempts: 1,
      failed_at: office.place.now(),
      reason: 'refused',
      error: 'The mail server refused the mail: 550 not today',
      payload: {},
    },
  ])
})

test('with mail off the job says so', async () => {
  await using place = await openTestJobs()
  await place.work({ tasks: { mail: mailTask(createMail({ smtpUrl: undefined, from: 'foyer@crm.example' })) } })
  await place.ask(await place.newOwner(), 'mail', link)
  await expect.poll(place.jobs).toMatchObject([{ reason: 'off', error: expect.stringContaining('This server sends no mail'), payload: {} }])
})
