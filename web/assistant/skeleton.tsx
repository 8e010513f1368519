import { conversationRoutes } from '#contract/assistant.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import page from './AssistantPage.module.css'
import pageStyles from './AssistantPage.module.css?inline'

/** The assistant before the application has started. */
export const assistantSkeleton: ScreenSkeleton = {
  path: '/assistant',
  includesSubpaths: true,
  title: 'Assistant',
  content: (
    <div className={page['columns']} data-skeleton>
      <div className={page['conversations']} />
      <div className={page['chat']} />
    </div>
  ),
  styles: pageStyles,
  firstRequests: () => [addressOf(conversationRoutes.list, { query: { search: '' } })],
}
