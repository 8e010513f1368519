import type { FormContent, PageResources } from '#contract/pages.ts'
import { trapFieldName } from '#contract/visitorForms.ts'
import { Document } from '../Document.tsx'
import { FormFieldInput } from './FormFieldInput.tsx'

/** The public page of a lead form. It works without scripts; `form.ts` sends the submission without leaving the page. */
export function FormPage({ content, resources }: { content: FormContent; resources: PageResources }) {
  const { state, title, is_embedded } = content
  const isShown = state === 'open' || state === 'sent'
  return (
    <Document
      title={state === 'missing' ? 'Form not found or inactive' : title}
      resources={resources}
      head={<FormHead content={content} />}
    >
      <main id="content" className={is_embedded ? 'form-page embedded' : 'form-page'} tabIndex={-1}>
        {state === 'missing' && <Notice heading="Form not found or inactive" text="Ask whoever sent you here for a new link." />}
        {state === 'closed' && <Notice heading={title} text="This form no longer takes answers." />}
        {isShown && (
          <>
            {state === 'open' && <AnswerForm content={content} resources={resources} />}
            <ThankYou content={content} />
          </>
        )}
      </main>
    </Document>
  )
}

function FormHead({ content: { state, title, description, address, redirect_url, is_embedded } }: { content: FormContent }) {
  const summary = description.replaceAll(/\s+/g, ' ').slice(0, 200)
  if (state === 'missing') return <meta name="robots" content="noindex" />
  return (
    <>
      {summary !== '' && <meta name="description" content={summary} />}
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      {summary !== '' && <meta property="og:description" content={summary} />}
      <meta property="og:url" content={address} />
      {state !== 'open' && <meta name="robots" content="noindex" />}
      {state === 'sent' && redirect_url !== '' && !is_embedded && <meta httpEquiv="refresh" content={`0;url=${redirect_url}`} />}
    </>
  )
}

function AnswerForm({ content, resources: { token, challenge } }: { content: FormContent; resources: PageResources }) {
  const { id, path, title, description, fields, values, messages, problem } = content
  const hasFiles = fields.some(({ field_type: type }) => type === 'file')
  const isAboutFields = problem === '' && Object.keys(messages).length > 0
  const notice = isAboutFields ? 'Some of this needs another look.' : problem
  return (
    <form
      id="form"
      method="post"
      action={path}
      encType={hasFiles ? 'multipart/form-data' : undefined}
      data-id={id}
      data-challenge={challenge}
      aria-labelledby="form-title"
    >
      <h1 id="form-title">{title}</h1>
      {description !== '' && <p className="description">{description}</p>}
      <p id="form-problem" className="problem" role="alert" tabIndex={-1} data-about-fields={isAboutFields || undefined}>
        {notice}
      </p>
      <input type="hidden" name="form_id" value={id} />
      <input type="hidden" name="page_token" value={token} />
      <div className="extra" aria-hidden="true">
        <label htmlFor="subject-line">Subject line (leave this empty)</label>
        <input id="subject-line" name={trapFieldName} type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="fields">
        {fields.map((field) => (
          <FormFieldInput key={field.id} field={field} values={values[field.field_name] ?? []} message={messages[field.field_name]} />
        ))}
      </div>
      <button type="submit" className="button button-primary button-large">
        Submit
      </button>
    </form>
  )
}

/** The thanks after the answer was sent. It is hidden while the form is shown, until the script shows it. */
function ThankYou({ content: { state, success_message, redirect_url, is_embedded } }: { content: FormContent }) {
  return (
    <section id="thanks" className="notice" hidden={state === 'open'} data-redirect={redirect_url || undefined} tabIndex={-1}>
      <Tick />
      <h1>Thank You!</h1>
      <p className="description">{success_message}</p>
      {redirect_url !== '' && (
        <a className="button button-default button-large" href={redirect_url} target={is_embedded ? '_top' : undefined}>
          Continue
        </a>
      )}
    </section>
  )
}

const Notice = ({ heading, text }: { heading: string; text: string }) => (
  <section className="notice">
    <h1>{heading}</h1>
    <p>{text}</p>
  </section>
)

const Tick = () => (
  <svg className="tick" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="10" />
    <path d="m7.5 12.5 3 3 6-7" />
  </svg>
)
