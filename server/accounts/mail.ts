import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { mailJob } from '#server/platform/mail/job.ts'

/** Enqueues the mail with the reset link, in the transaction that creates the token. `publicUrl` is the address of this Foyer. */
export async function sendResetMail(to: string, publicUrl: string, token: string, expiresAt: Date): Promise<void> {
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
