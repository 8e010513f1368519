import type { LeadForm } from '#contract/leadForms.ts'
import { mockServer, nora } from '#web/testing.ts'

export const form: LeadForm = {
  id: '01930000-0000-7000-8000-000000000901',
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
  version: 3,
  title: 'Ask for an offer',
  slug: 'ask-for-an-offer',
  description: 'Tell us what you need.',
  success_message: 'Thank you!',
  is_active: true,
  redirect_url: '',
  closes_at: null,
  max_submissions: null,
  form_fields: [
    {
      id: '01930000-0000-7000-8000-000000000911',
      field_name: 'email',
      field_label: 'Email',
      field_type: 'email',
      is_required: true,
      placeholder: '',
      options: [],
    },
  ],
  next_field_number: 0,
  submission_count: 12,
  spam_count: 2,
  last_submission_at: '2026-11-23T10:00:00.000Z',
}

/** The path of the routes of one form. */
export const formPath = '/api/lead-forms/{id}'

/** Mocks a server that has these forms in its list, and that returns `form` for every id. */
export const mockForms = (rows: LeadForm[], handlers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({ 'GET /api/session': nora, 'GET /api/lead-forms': { rows, next: null }, [`GET ${formPath}`]: form, ...handlers })
