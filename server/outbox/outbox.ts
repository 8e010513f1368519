// The outbox: the mails to and about visitors, and about webhooks. The transaction that causes a mail stores it, and a job sends it.
import { outboxRoutes } from '#contract/outbox.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createOutboxJobHandler } from './send.job.ts'
import { deleteOldMails, giveUp, listMails, markAbandonedMails, sendAgain } from './store.ts'

/** For the features whose mails are sent from the outbox. */
export { addMail, addMails, type NewMail } from './store.ts'

export const outboxFeature: Feature = {
  takeoutTables: [{ table: 'outbox_mails', name: 'outbox' }],
  mount: (router, context) =>
    mount(router, outboxRoutes, {
      list: async ({ caller, query }) => ({
        ...(await context.database.read(caller, () => listMails(caller.owner, query, context.now()))),
        sends_mail: context.mail.isConfigured,
      }),
      send: ({ caller, params }) => sendAgain(context, caller, params.id),
      giveUp: ({ caller, params }) => giveUp(context, caller, params.id),
    }),
  jobs: (context) => [createOutboxJobHandler(context)],
  schedules: (tableOwner, now) => [
    { name: 'abandoned mails', everySeconds: 60, run: () => markAbandonedMails(tableOwner) },
    { name: 'old mails', everySeconds: 24 * 60 * 60, run: () => deleteOldMails(tableOwner, now()) },
  ],
}
