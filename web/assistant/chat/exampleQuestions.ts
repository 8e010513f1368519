import { queryOptions } from '@tanstack/react-query'
import { IconFileText, IconPhoto, IconSparkles2, IconTarget, IconUsers, IconChecklist } from '@tabler/icons-react'
import { contactRoutes } from '#contract/contacts.ts'
import { dashboardRoutes } from '#contract/dashboard.ts'
import { fileRoutes } from '#contract/files.ts'
import { recordKinds } from '#contract/kinds.ts'
import { call } from '#web/lib/client.ts'
import type { Icon } from '#web/lib/features.ts'

/** A question to begin with. `text` is sent, unless the question is for a picture, which has its own dialog. */
export type ExampleQuestion = { text: string; detail: string; icon: Icon; isImage?: true }

/** What the questions are about: which kinds have records, the newest contact and the newest file. */
type Workspace = { hasDeals: boolean; hasDueTasks: boolean; contactName: string | undefined; fileName: string | undefined }

/** The query of what the workspace has. */
export const workspaceQuery = queryOptions({
  queryKey: ['example questions'],
  meta: { tables: [recordKinds.contact.table, recordKinds.deal.table, recordKinds.task.table, recordKinds.file.table] },
  queryFn: async ({ signal }): Promise<Workspace> => {
    const newest = { query: { sort: 'newest', limit: 1 } } as const
    const [dashboard, contacts, files] = await Promise.all([
      call(dashboardRoutes.get, {}, { signal }),
      call(contactRoutes.list, newest, { signal }),
      call(fileRoutes.list, newest, { signal }),
    ])
    return {
      hasDeals: dashboard.first_steps_done.includes('deal'),
      hasDueTasks: dashboard.tasks.due + dashboard.tasks.overdue > 0,
      contactName: contacts.rows.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim())[0],
      fileName: files.rows[0]?.file_name,
    }
  },
})

/** The number of questions that are shown. */
export const maxQuestions = 3

/** Makes questions from what the workspace has, the most useful first. */
export function makeExampleQuestions({ hasDeals, hasDueTasks, contactName, fileName }: Workspace, makesImages: boolean): ExampleQuestion[] {
  const deals = { text: 'Which deals need me this week?', detail: 'Looks at close dates, tasks and last contact', icon: IconTarget }
  const tasks = { text: 'What should I do first today?', detail: 'Looks at due tasks and their deals', icon: IconChecklist }
  const image = { text: 'Draw a picture for my website', detail: 'Saves the picture in Files', icon: IconPhoto, isImage: true } as const
  const file = { text: `Summarise ${fileName}`, detail: 'Reads the file', icon: IconFileText }
  const contact = { text: `What do I know about ${contactName}?`, detail: 'Reads notes, deals and tasks', icon: IconUsers }
  const first = { text: 'What can you do for me?', detail: 'A short tour', icon: IconSparkles2 }
  const begin = { text: 'How do I begin with Foyer?', detail: 'The first steps', icon: IconChecklist }
  const plan = { text: 'Write a checklist for a first call with a client', detail: 'A draft to change', icon: IconFileText }
  return [
    ...(hasDeals ? [deals] : []),
    ...(contactName === undefined || contactName === '' ? [] : [contact]),
    ...(fileName === undefined ? [] : [file]),
    ...(hasDueTasks ? [tasks] : []),
    ...(makesImages ? [image] : []),
    first,
    begin,
    plan,
  ].slice(0, maxQuestions)
}
