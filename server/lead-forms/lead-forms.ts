// Lead forms: public forms whose submissions become contacts.
import { leadFormRoutes, type LeadForm, type LeadFormRow } from '#contract/leadForms.ts'
import { publicFormRoutes, submissionRoutes, type Submission } from '#contract/submissions.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { serveEmbedScript } from '#server/platform/http/embed-script.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createPageVisitorFinder } from '#server/platform/http/page-owners.ts'
import { writeForVisitor } from '#server/platform/http/visitors/full-account.ts'
import { createWithSlug } from '#server/platform/records/create-with-slug.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { readPage } from '#server/platform/records/page.ts'
import { deleteUnneeded } from './cleaning.store.ts'
import { exportSubmissions } from './export.ts'
import { openFile } from './files.ts'
import { forms, submissions } from './kind.ts'
import { listSubmissionFiles } from './takeout-files.ts'
import { formPage } from './page.ts'
import { listSubmissions, readSubmission, setSpam, setSpamOfMany } from './submissions.ts'
import { submitForm } from './submit.ts'

export const leadFormFeature: Feature = {
  kinds: [forms, submissions],
  publicPages: [formPage],
  webScreens: [{ path: '/lead-forms', module: 'web/lead-forms/LeadFormsPage.tsx' }],
  takeoutTables: [
    { table: 'form_versions', name: 'form_versions' },
    { table: 'form_submission_files', name: 'form_submission_files' },
  ],
  listTakeoutFiles: listSubmissionFiles,
  mount: (router, context) => {
    const { database, now } = context
    serveEmbedScript(router.server, { path: 'form', title: 'Form' })
    const { list: _list, create: _create, get, update, delete: deleteForm } = createRecordHandlers<LeadForm, LeadFormRow>(forms, context)
    mount(router, leadFormRoutes, {
      list: ({ caller, query }) =>
        database.read(caller, () =>
          readPage<LeadFormRow>(forms, caller.owner, { ...query, search: '', filter: [], sort: 'newest', order: 'asc', now: now() }),
        ),
      get,
      create: ({ caller, body }) => createWithSlug<LeadForm>(context, caller, forms, body),
      update,
      delete: deleteForm,
    })
    const { delete: deleteSubmission, deleteMany } = createRecordHandlers<Submission, Submission>(submissions, context)
    mount(router, submissionRoutes, {
      list: ({ caller, query }) => listSubmissions(context, caller, query),
      get: ({ caller, params }) => database.read(caller, () => readSubmission(caller.owner, params.id)),
      file: ({ caller, params }) => openFile(context, caller, params.id),
      setSpam: ({ caller, params, body }) => setSpam(context, caller, params.id, body.is_spam),
      setSpamOfMany: ({ caller, body }) => setSpamOfMany(context, caller, body.ids, body.is_spam),
      delete: deleteSubmission,
      deleteMany,
      export: ({ caller, params, body }) => exportSubmissions(context, caller, params.id, body.spam),
    })
    router.finders.visitor.push(createPageVisitorFinder(database, '/api/public/forms/', 'app.lead_form_owner'))
    mount(router, publicFormRoutes, {
      submit: async ({ caller, params, body, request }) => {
        const describe = () => 'This form cannot take answers at the moment. Please contact its owner another way.'
        await writeForVisitor({ caller, request, describe }, () =>
          submitForm({ context, visitors: router.visitors }, caller, { formId: params.id, body, ip: request.ip }),
        )
        return { received: true } as const
      },
    })
  },
  schedules: (tableOwner) => [
    { name: 'versions of forms and files of submissions', everySeconds: 24 * 60 * 60, run: () => deleteUnneeded(tableOwner) },
  ],
}
