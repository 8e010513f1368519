import type { APIRequestContext } from 'playwright-core'
import type { AiServer, AiServerOptions } from '#server/testing/ai-server.ts'
import { newId } from '#server/platform/database/uuid.ts'

/** An answer with everything that Markdown shows, and with a file. */
const richAnswer = `# Plan

The desk has **two** parts, see [our shop](https://oak.example).

| Deal | Value |
|---|--:|
| Waiting room | 26,400 |

- one
- two

\`\`\`js
const ${'part'.repeat(40)} = 1
\`\`\`

> quoted
base64-file:plan.txt|text/plain|x|T25lIGRlc2s=`

/** Adds two conversations with the assistant, through the API: a rich answer, and a proposal of three changes. */
export async function addSampleConversations(request: APIRequestContext, url: string, ai: AiServer, deal: string) {
  const post = async (path: string, data: object): Promise<void> => {
    const response = await request.post(url + path, { headers: { origin: url }, data })
    if (!response.ok()) throw new Error(await response.text())
  }
  const add = async (content: string, respond: AiServerOptions['respond']): Promise<string> => {
    const [id, answerId] = [newId(), newId()]
    ai.setRespond(respond)
    await post('/api/conversations', { id, title: content })
    await post(`/api/conversations/${id}/messages`, { id: newId(), answer_id: answerId, content, timezone: 'Europe/London' })
    await request.get(`${url}/api/messages/${answerId}/events`) // ends with the answer
    return id
  }
  const conversation = await add('Make a plan', ({ toolResults }) =>
    toolResults.length > 0 ? richAnswer : [{ calls: [{ name: 'find', input: JSON.stringify({ kind: 'deal' }) }] }],
  )
  const calls = [
    { name: 'propose_update', input: JSON.stringify({ kind: 'deal', records: [deal], fields: { stage: 'negotiation', value: 19_850 } }) },
    { name: 'propose_create', input: JSON.stringify({ kind: 'task', records: [{ title: 'Measure both sites', deal_id: deal }] }) },
    { name: 'propose_tag', input: JSON.stringify({ kind: 'deal', records: [deal], add: ['oak'] }) },
  ]
  const proposal = await add('Update the deal', ({ toolResults }) => (toolResults.length > 0 ? 'Please look at these.' : [{ calls }]))
  return { conversation, proposal }
}
