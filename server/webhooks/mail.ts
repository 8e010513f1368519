// The mails to the owner about an endpoint that keeps failing. `failing` and `given_up` are sent once in a period of failures, which ends with
// a success or when the owner changes the endpoint. While other deliveries succeed, `given_up` is sent at most once a day.
import { readOwnerEmail } from '#server/accounts/accounts.ts'
import { addMail } from '#server/outbox/outbox.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { setMailTime, type StoredEndpoint } from './endpoints.store.ts'

/**
 * What a mail says. `failing`: nothing was delivered for a day. `given_up`: deliveries have failed for good. `gone`: the endpoint was turned
 * off.
 */
export type EndpointTrouble = 'failing' | 'given_up' | 'gone'

type FailingEndpoint = Pick<StoredEndpoint, 'id' | 'url' | 'description'> & { problem: string | null }

const texts: Readonly<Record<EndpointTrouble, { subject: string; text: string }>> = {
  failing: {
    subject: 'Webhook is failing',
    text: 'This endpoint has accepted nothing for a day. Foyer tries each delivery for three days, and sends the changes of a record one after the other.',
  },
  given_up: {
    subject: 'Webhook deliveries were given up',
    text: 'Some deliveries have failed for good and are not tried any more. The log says why, and you can send them again there.',
  },
  gone: { subject: 'Webhook was turned off', text: 'The endpoint has answered that it is gone for good, so nothing more is sent to it.' },
}

/**
 * Adds a mail to the owner to the outbox; `failing` and `given_up` only if none was added at or after `since`, when the failures began. The
 * mail and the time of it are stored in the open transaction, so a crash neither loses nor repeats the mail.
 */
export async function mailTrouble(
  mail: Pick<Mail, 'isConfigured'>,
  owner: string,
  trouble: EndpointTrouble,
  { id, url, description, problem }: FailingEndpoint,
  { now, since, address }: { now: Date; since: Date; address: string },
): Promise<void> {
  if (trouble !== 'gone' && !(await setMailTime(owner, id, { trouble, now, since }))) return
  const { subject, text } = texts[trouble]
  const { host } = new URL(url)
  const lines = [
    `Endpoint: ${description === '' ? host : `${description} (${host})`}`,
    ...(problem === null ? [] : [`Problem: ${problem}`]),
  ]
  await addMail(mail, owner, {
    to: await readOwnerEmail(owner),
    subject: `${subject}: ${description || host}`,
    text: `${text}\n\n${lines.join('\n')}\n\nThe log of its deliveries: ${address}/api-keys/webhooks/${id}\n`,
    about: { kind: 'webhook', id },
  })
}
