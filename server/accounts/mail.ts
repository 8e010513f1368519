// The mails of accounts. Each is enqueued in the transaction of its change. `publicUrl` is the address of this Foyer.
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { mailJob } from '#server/platform/mail/job.ts'

/** Enqueues the mail with the reset link. */
export async function enqueueResetMail(to: string, publicUrl: string, token: string, expiresAt: Date): Promise<void> {
  await enqueue(mailJob, {
    to,
    subject: 'Choose a new password for Foyer',
    text: `Somebody, we hope you, asked for a new password for your Foyer account.

Choose it here within the next hour:
${publicUrl}/auth/reset?token=${token}

If it was not you, nothing has changed and you can ignore this mail.
`,
    expires_at: expiresAt.toISOString(),
  })
}

/** Enqueues the mail about many wrong passwords. */
export async function enqueueAttackMail(to: string, publicUrl: string): Promise<void> {
  await enqueue(mailJob, {
    to,
    subject: 'Somebody tries to sign in to your Foyer account',
    text: `Somebody entered many wrong passwords for your Foyer account. Nobody has signed in with them.

You can sign in as usual in every browser that you have used before. In a new browser you have only a few tries for now.

If your password is short or you use it elsewhere, choose a longer one on your account page:
${publicUrl}/account
`,
  })
}

/** Enqueues the mail about a sign-in in a new browser. `ip` is the network address of the browser. */
export async function enqueueNewBrowserMail(to: string, publicUrl: string, ip: string, at: Date): Promise<void> {
  await enqueue(mailJob, {
    to,
    subject: 'New sign-in to your Foyer account',
    text: `Your password was used in a new browser from the network address ${ip}, on ${at.toUTCString()}.

If it was you, there is nothing to do.

If it was not you, choose a new password, which signs out every device:
${publicUrl}/auth/forgot
`,
  })
}

/** Enqueues the mail to the old email of an account after the email was changed. */
export async function enqueueEmailChangedMail(to: string): Promise<void> {
  await enqueue(mailJob, {
    to,
    subject: 'The email of your Foyer account was changed',
    text: `You no longer sign in to your Foyer account with this email, and every other device was signed out.

If it was not you, write to the person who runs your Foyer.
`,
  })
}
