import { formatAnswerText } from '#contract/answerTexts.ts'
import { localeOf } from '#contract/locales.ts'
import { formatAnswer, type Answers, type FormField } from '#contract/formFields.ts'
import { readOwnerCountry, readOwnerEmail } from '#server/accounts/accounts.ts'
import { addMail } from '#server/outbox/outbox.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { firstAnswer } from './contact.ts'

/** The maximum length of one answer in a mail. The screen shows the whole answer. */
const maxAnswerLength = 2000

type SubmissionToMail = { id: string; form: { id: string; title: string }; fields: readonly FormField[]; answers: Answers; address: string }

/**
 * Adds a mail to the outbox, in the open transaction. It tells the owner about a submission. Visitors get no mail, because anybody can
 * enter the email of somebody else.
 */
export async function addNoticeMail(
  mail: Pick<Mail, 'isConfigured'>,
  owner: string,
  { id, form, fields, answers, address }: SubmissionToMail,
): Promise<void> {
  const email = firstAnswer(fields, answers, 'email')
  const locale = localeOf(await readOwnerCountry(owner))
  const lines = fields.flatMap(({ field_name: name, field_label: label, field_type: type }) => {
    const answer = answers[name]
    return answer === undefined
      ? []
      : [`${label}: ${formatAnswerText(formatAnswer(answer), type, locale).slice(0, maxAnswerLength).toWellFormed()}`]
  })
  await addMail(mail, owner, {
    to: await readOwnerEmail(owner),
    ...(email !== '' && { replyTo: email }),
    subject: `New submission: ${form.title}`,
    text: `${lines.join('\n')}\n\nAll submissions: ${address}/lead-forms/${form.id}/submissions\n`,
    about: { kind: 'submission', id, parent_id: form.id },
  })
}
