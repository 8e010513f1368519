import type { Screen } from './screen.ts'

/** The screens of the lead forms. `form` returns the id of a form without submissions. */
export const formScreens = (form: () => string): Record<string, Screen> => ({
  'lead forms': { path: () => '/lead-forms', waitForContent: (page) => page.getByRole('link', { name: 'Edit Fields' }).waitFor() },
  'new lead form': {
    opensOverlay: true,
    path: () => '/lead-forms/new',
    waitForContent: (page) => page.getByRole('dialog', { name: 'Create form' }).getByLabel('Title').waitFor(),
  },
  'editor of a lead form': {
    path: () => `/lead-forms/${form()}/edit`,
    waitForContent: (page) => page.getByRole('heading', { name: 'Preview' }).waitFor(),
  },
  'submissions of a lead form': {
    path: () => `/lead-forms/${form()}/submissions`,
    waitForContent: (page) => page.getByRole('heading', { name: 'No submissions yet' }).waitFor(),
  },
})
