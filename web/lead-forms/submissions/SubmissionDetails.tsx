import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatAnswer, type Answers, type FieldType, type FormField } from '#contract/formFields.ts'
import { submissionRoutes, type FullSubmission } from '#contract/submissions.ts'
import { addressOf } from '#web/lib/client.ts'
import { formatExactTime, formatFileSize } from '#web/lib/format.ts'
import { formatVisitorAnswer } from '#web/lib/visitorAnswers.ts'
import { describeError } from '#web/lib/toasts.ts'
import { FailedState } from '#web/ui/FailedState.tsx'
import { ListSkeleton } from '#web/ui/ListSkeleton.tsx'
import { leadFormQuery } from '../queries.ts'
import { submissionQuery, useDeleteSubmission, useSetSpam } from './queries.ts'
import classes from './SubmissionsPage.module.css'

/** A submission with the fields as its visitor saw them. `onGone` is called when it was deleted or moved out of the list. */
export function SubmissionDetails({ id, onGone }: { id: string; onGone: () => void }) {
  const submission = useQuery(submissionQuery(id))
  if (submission.isPending) return <ListSkeleton rows={3} height={28} columns={[]} />
  if (submission.isError)
    return (
      <FailedState
        title="The submission could not be loaded"
        reason={describeError(submission.error)}
        onRetry={() => void submission.refetch()}
        isRetrying={submission.isFetching}
      />
    )
  const { data } = submission
  return (
    <div className={classes['details']}>
      {data.is_spam && <p className={classes['reason']}>{describeReason(data.spam_reason)}</p>}
      <dl className={classes['answers']}>
        <Fact label="First Name" value={toText(data.submission_data['first_name'])} />
        <Fact label="Last Name" value={toText(data.submission_data['last_name'])} />
        {data.version_fields.map((field) => (
          <FieldAnswer key={field.id} field={field} submission={data} />
        ))}
        <Fact label="Received" value={formatExactTime(data.created_at)} />
        {Object.entries(data.source).map(([name, value]) => (
          <Fact key={name} label={sourceLabels[name] ?? name} value={value} />
        ))}
      </dl>
      <AddedFields submission={data} />
      <Actions submission={data} onGone={onGone} />
    </div>
  )
}

const sourceLabels: Readonly<Record<string, string>> = {
  page: 'Page',
  utm_source: 'Campaign source',
  utm_medium: 'Campaign medium',
  utm_campaign: 'Campaign',
  utm_term: 'Campaign term',
  utm_content: 'Campaign content',
}

const describeReason = (reason: string): string =>
  ({
    trap: 'In the spam folder, because a field that people do not see was filled in.',
    too_fast: 'In the spam folder, because it came faster than a person types.',
    many_links: 'In the spam folder, because it has many links.',
    known_words: 'In the spam folder, because it has several words of advertising.',
    mixed_scripts: 'In the spam folder, because it has words that mix the letters of several scripts.',
    too_many_without_script: 'In the spam folder, because many submissions came from the same place without proof of a browser.',
  })[reason] ?? 'You moved it into the spam folder.'

function FieldAnswer({ field, submission }: { field: FormField; submission: FullSubmission }) {
  const { field_type: type, field_name: name, field_label: label } = field
  if (type === 'heading') return null
  const answer = submission.submission_data[name]
  if (type !== 'file') return <Fact label={label} value={toText(answer, type)} />
  const files = submission.files.filter((file) => file.field_name === name)
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {files.length === 0 && '-'}
        {files.map((file) => (
          <a
            key={file.id}
            className={classes['file']}
            href={addressOf(submissionRoutes.file, { params: { id: file.id } })}
            download={file.file_name}
          >
            <IconDownload size={14} stroke={1.75} aria-hidden />
            {file.file_name} ({formatFileSize(file.file_size)})
          </a>
        ))}
      </dd>
    </div>
  )
}

const Fact = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt dir="auto">{label}</dt>
    <dd dir="auto">{value}</dd>
  </div>
)

const toText = (answer: Answers[string] | undefined, type?: FieldType): string =>
  answer === undefined || answer === '' ? '-' : formatVisitorAnswer(formatAnswer(answer), type)

/** Lists the required fields that were added after the visitor opened the form, because the submission has no answers to them. */
function AddedFields({ submission: { form_id: formId, version_fields: fields } }: { submission: FullSubmission }) {
  const { data: form } = useQuery(leadFormQuery(formId))
  const known = new Set(fields.map(({ id }) => id))
  const added = form?.form_fields.filter(({ id, is_required: isRequired }) => isRequired && !known.has(id)) ?? []
  if (added.length === 0) return null
  return (
    <p className={classes['reason']}>
      The form got these required fields after this visitor had opened it: {added.map(({ field_label }) => field_label).join(', ')}.
    </p>
  )
}

function Actions({ submission, onGone }: { submission: FullSubmission; onGone: () => void }) {
  const { contact_id: contactId, contact_name: contactName, is_spam: isSpam } = submission
  const setSpam = useSetSpam(submission, onGone)
  const remove = useDeleteSubmission(onGone)
  return (
    <div className={classes['actions']}>
      {contactId !== null && (
        <Button variant="default" component={Link} to={`/crm/contacts/${contactId}`}>
          {contactName === '' ? 'Contact' : `Contact: ${contactName}`}
        </Button>
      )}
      <Button variant="default" loading={setSpam.isPending} onClick={() => setSpam.mutate(!isSpam)}>
        {isSpam ? 'Not spam' : 'Mark as spam'}
      </Button>
      <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate(submission)}>
        Delete
      </Button>
    </div>
  )
}
