import { messageRoutes } from '#contract/assistant.ts'
import { messageFileRoutes } from '#contract/messageFiles.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { requestStop } from '../answers/answers.store.ts'
import { followAnswer } from '../answers/follow.ts'
import { createRunningAnswers, type StopReason } from '../answers/running.ts'
import { editMessage, retryAnswer, sendMessage } from '../answers/start.ts'
import { openMessageFile, readSavedFile, saveMessageFile } from '../files/message-files.ts'
import { readMessage, readMessages } from './messages.store.ts'

/** Adds the routes of messages, and ends the answers of this process before the server closes. */
export function mountMessages(router: Router, context: AppContext): void {
  const { database } = context
  const running = createRunningAnswers()
  router.server.addHook('preClose', running.stop)
  const services = { context, router, running, log: router.server.log }
  mount(router, messageRoutes, {
    list: ({ caller, params, query }) => database.read(caller, () => readMessages(caller.owner, params.id, query)),
    get: ({ caller, params }) => database.read(caller, () => readMessage(caller.owner, params.id)),
    send: ({ caller, params, body }) => sendMessage(services, caller, params.id, body),
    edit: ({ caller, params, body }) => editMessage(services, caller, params.id, body),
    retry: ({ caller, params, body }) => retryAnswer(services, caller, params.id, body),
    stop: async ({ caller, params }) => {
      await database.read(caller, () => readMessage(caller.owner, params.id))
      const answer = running.find(caller.owner, params.id)
      if (answer) answer.stop.abort('stopped by user' satisfies StopReason)
      else await database.batch(caller, 'Stopped an answer', () => requestStop(caller.owner, params.id))
    },
    follow: async ({ caller, params, query, signal }) => {
      await database.read(caller, () => readMessage(caller.owner, params.id))
      return followAnswer(database, running, caller, params.id, query, signal)
    },
  })
  mount(router, messageFileRoutes, {
    content: ({ caller, params }) => openMessageFile(context, caller, params.id),
    save: ({ caller, params, body }) => saveMessageFile(context, caller, params.id, body.folder_id),
    saved: ({ caller, params }) => readSavedFile(context, caller, params.id),
  })
}
