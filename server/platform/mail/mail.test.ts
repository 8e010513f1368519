import { createServer } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startMailServer } from '#server/testing/mail.ts'
import { createMail } from './mail.ts'
import { MailFailure, type Message } from './message.ts'

// A mail server responds with a status: 2xx accepted, 4xx temporary failure, 5xx permanent failure.

const from = 'Foyer <foyer@crm.example>'
const hello: Message = {
  to: 'ada@example.org',
  subject: 'Grüße, Ada',
  text: 'https://foyer.test/auth/reset?token=a-b_c=d\nÜber alles gut.\n',
}

test('a mail arrives with its sender, recipient, subject and text', async () => {
  await using server = await startMailServer()
  const mail = createMail({ smtpUrl: server.url, from })
  expect(mail.isConfigured).toBe(true)
  await mail.send({ ...hello, messageId: 'once' })
  expect(server.received).toEqual([expect.objectContaining({ from: 'foyer@crm.example', to: ['ada@example.org'], text: hello.text })])
  expect(server.received[0]?.headers).toEqual(
    expect.arrayContaining([
      'From: Foyer <foyer@crm.example>',
      'To: ada@example.org',
      'Message-ID: <once@crm.example>',
      'Auto-Submitted: auto-generated',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe=2C_Ada?=', // "Grüße, Ada" in the encoding of headers
    ]),
  )
})

test('a line break in the subject does not add a header', async () => {
  await using server = await startMailServer()
  const mail = createMail({ smtpUrl: server.url, from })
  await mail.send({ ...hello, subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nbody of my own' })
  await mail.send({ ...hello, subject: 'Hello\nBcc: eve@example.org' })
  await mail.send({ ...hello, subject: 'Hello\rBcc: eve@example.org\u2028X-Evil: 1' })
  expect(server.received.map(({ to }) => to)).toEqual([['ada@example.org'], ['ada@example.org'], ['ada@example.org']])
  for (const { headers, text } of server.received) {
    expect(headers.filter((line) => /^(bcc|x-evil)/i.test(line))).toEqual([])
    expect(headers.find((line) => line.startsWith('Subject:'))).toContain('Hello')
    expect(text).toBe(hello.text)
  }
})

test.each([
  'ada@example.org, eve@example.org',
  'ada@example.org;eve@example.org',
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@example.org\nRCPT TO:<eve@example.org>',
  'Ada <ada@example.org>',
  '<ada@example.org>',
  '"ada@example.org, x"@example.org',
  'ada@example.org eve@example.org',
  'ada@eve@example.org',
  'ada@example.org\u0000',
  'ada@example.org> SIZE=1',
  'group:ada@example.org;',
  'ada',
  '',
  `${'a'.repeat(250)}@example.org`,
])('a mail to %j, which is not exactly one address, is refused and not sent', async (to) => {
  await using server = await startMailServer()
  await expect(createMail({ smtpUrl: server.url, from }).send({ ...hello, to })).rejects.toMatchObject({ reason: 'refused' })
  expect(server.received).toEqual([])
})

test.each([
  ['a subject of 501 characters', { subject: 'a'.repeat(501) }],
  ['a text of 1,000,001 characters', { text: 'a'.repeat(1_000_001) }],
])('a mail with %s is refused', async (_title, change) => {
  await using server = await startMailServer()
  await expect(createMail({ smtpUrl: server.url, from }).send({ ...hello, ...change })).rejects.toMatchObject({ reason: 'refused' })
})

test.each([
  [{ refuse: 550, refusedPart: 'address' }, 'refused', 'The mail server refused the mail: 550 not today'],
  [{ refuse: 554, refusedPart: 'message' }, 'refused', 'The mail server refused the mail: 554 not today'],
  [{ refuse: 451, refusedPart: 'address' }, 'temporary', 'The mail server cannot take the mail now: 451 not today'],
  [{ refuse: 452, refusedPart: 'message' }, 'temporary', 'The mail server cannot take the mail now: 452 not today'],
  [{ refuse: 553, refusedPart: 'sender' }, 'unreachable', 'The mail server does not accept our sender or name: 553 not today'],
  [{ refuse: 530, refusedPart: 'address' }, 'unreachable', 'The mail server does not accept our sender or name: 530 not today'],
  [{ refuse: 451, refusedPart: 'sender' }, 'temporary', 'The mail server cannot take the mail now: 451 not today'],
  ['disconnect before mail', 'unreachable', 'The mail server sends no valid response'],
  ['disconnect after mail', 'unreachable', 'The mail server sends no valid response'],
] as const)('when the mail server does this: %j, sending fails with the reason "%s"', async (behavior, reason, message) => {
  await using server = await startMailServer()
  const mail = createMail({ smtpUrl: server.url, from })
  server.setBehavior(behavior)
  await expect(mail.send(hello)).rejects.toMatchObject({ name: 'MailFailure', reason, message })
  server.setBehavior('accept')
  await mail.send({ ...hello, subject: 'Better now' })
  expect(server.received.at(-1)?.headers).toContain('Subject: Better now')
})

test('when the mail server quotes a link in its refusal, the error message does not contain the link', async () => {
  await using server = await startMailServer()
  server.setBehavior({ refuse: 550, refusedPart: 'message', text: 'spam: https://foyer.test/auth/reset?token=secret is listed' })
  await expect(createMail({ smtpUrl: server.url, from }).send(hello)).rejects.toThrow('550 spam: (a link) is listed')
})

test('sending fails as unreachable when the mail server never responds or does not exist', async () => {
  const silentServer = createServer().listen(0, '127.0.0.1')
  await once(silentServer, 'listening')
  const address = silentServer.address()
  const mail = createMail({ smtpUrl: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, from })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const failure = mail.send(hello).catch((error: unknown) => error)
  const [socket] = await once(silentServer, 'connection')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await failure).toMatchObject({ reason: 'unreachable' })
  vi.useRealTimers()
  socket.destroy()
  silentServer.close()
  await expect(mail.send(hello)).rejects.toMatchObject({ reason: 'unreachable' })
})

test('the name and password in the URL are sent to the mail server', async () => {
  await using server = await startMailServer()
  await createMail({ smtpUrl: server.url.replace('//', '//foyer:open%20sesame@'), from }).send(hello)
  expect(server.received).toHaveLength(1)
  const refused = createMail({ smtpUrl: server.url.replace('//', '//foyer:closed@'), from }).send(hello)
  await expect(refused).rejects.toThrow('The mail server does not accept our name and password')
})

test('a password is not sent without encryption to another machine', async () => {
  await using server = await startMailServer()
  // this address is the machine itself, but our code takes it for another machine, because it is not 127.x, ::1 or localhost
  const smtpUrl = server.url.replace('127.0.0.1', 'foyer:open%20sesame@[::ffff:127.0.0.1]')
  await expect(createMail({ smtpUrl, from }).send(hello)).rejects.toMatchObject({
    reason: 'unreachable',
    cause: { code: 'ETLS' },
  })
  expect(server.received).toEqual([])
})

test('without a configured mail server sending fails', async () => {
  const mail = createMail({ smtpUrl: undefined, from })
  expect(mail.isConfigured).toBe(false)
  await expect(mail.send(hello)).rejects.toEqual(
    new MailFailure('off', 'This server sends no mail: its operator has not configured a mail server'),
  )
})
