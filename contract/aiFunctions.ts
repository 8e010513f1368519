// The AI functions for other programs: a chat, pictures, the analysis of files, and a better wording for notes. They have the paths and the
// field names of an earlier version of the API, so that its clients still work.
import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { File } from './files.ts'
import { Passage } from './lists.ts'
import { multilineText } from './fields.ts'
import { defineRoutes } from './route.ts'

const storesNothing = { noUndo: 'It stores nothing and changes no record.' }

/** A piece of a streamed answer, as clients of the chat completion format read it. */
const ChatChunk = z.object({ choices: z.array(z.object({ index: z.int(), delta: z.object({ content: z.string() }) })) })

/** A chat that stores nothing. The client sends the whole conversation with each request. */
export const chatFunctionRoutes = defineRoutes({
  aiChat: {
    method: 'POST',
    path: '/functions/v1/ai-chat',
    summary: 'Answer a conversation as a stream of server-sent events, whose last data is [DONE]. Reads the workspace and changes nothing',
    caller: 'user',
    changes: storesNothing,
    body: z.strictObject({
      messages: z.array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().check(z.maxLength(200_000)) })).check(
        z.minLength(1),
        z.maxLength(200),
        z.refine((messages) => messages.at(-1)?.role === 'user', 'The last message must be from the user'),
      ),
      timezone: z._default(z.string().check(z.maxLength(64)), 'UTC'),
    }),
    eventList: ChatChunk,
    lastData: '[DONE]',
    errors: ['ai_off', 'ai_limit', 'ai_failed', 'too_many_requests'],
    example: { body: { messages: [{ role: 'user', content: 'Who is new?' }], timezone: 'Europe/London' } },
  },
})

/** A picture as a data URL, and its file. */
const GeneratedImage = z.object({ imageUrl: z.string(), file: File })

export const imageFunctionRoutes = defineRoutes({
  aiImageGen: {
    method: 'POST',
    path: '/functions/v1/ai-image-gen',
    summary: 'Make a picture from a description and add it to Files',
    caller: 'user',
    changes: 'journaled',
    body: z.strictObject({ prompt: multilineText.check(z.minLength(1, 'Describe the image')) }),
    out: GeneratedImage,
    responseIfRepeated: { fromRoute: 'imageOfFile', idFrom: 'record' },
    errors: ['ai_off', 'ai_limit', 'ai_failed', 'quota_exceeded', 'storage_full'],
    example: { body: { prompt: 'A header picture of a library with oak shelves' } },
  },
  imageOfFile: {
    method: 'GET',
    path: '/functions/v1/ai-image-gen/{id}',
    summary: 'A picture that was made from a description, by the id of its file',
    caller: 'user',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    out: GeneratedImage,
    errors: ['bytes_lost', 'not_ready'],
    example: { params: { id: exampleId('file') } },
  },
})

export const analysisFunctionRoutes = defineRoutes({
  analyzeFile: {
    method: 'POST',
    path: '/functions/v1/analyze-file',
    summary: 'Describe what a file contains, with the passages on which the description rests',
    caller: 'user',
    changes: storesNothing,
    body: z.strictObject({ fileId: z.uuid() }),
    out: z.object({
      fileName: z.string(),
      analysis: z.string(),
      /** Passages that are quoted from the file word for word. */
      passages: z.array(Passage),
      /** Whether the file is longer than what was read. */
      isCut: z.boolean(),
    }),
    errors: ['ai_off', 'ai_limit', 'ai_failed', 'not_ready', 'invalid'],
    example: { body: { fileId: exampleId('file') } },
  },
})

export const noteFunctionRoutes = defineRoutes({
  improveNote: {
    method: 'POST',
    path: '/functions/v1/improve-note',
    summary: 'Return a note with better wording; nothing is stored',
    caller: 'user',
    changes: storesNothing,
    body: z.strictObject({ content: multilineText.check(z.minLength(1, 'Write a note')) }),
    out: z.object({ improvedContent: z.string() }),
    errors: ['ai_off', 'ai_limit', 'ai_failed'],
    example: { body: { content: 'wants oak sample by fri' } },
  },
})
