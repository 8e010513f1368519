import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { NamedFile } from '#contract/route.ts'

/** Sends a file as it is made. What fails before its first part is still answered with a problem document. */
export async function sendFile(type: string, result: unknown, reply: FastifyReply): Promise<FastifyReply> {
  if (!isNamedFile(result)) throw new Error('A file route returns a file')
  const parts = result.parts[Symbol.asyncIterator]()
  const first = await parts.next()
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${result.name}"`)
    .type(`${type}; charset=utf-8`)
    .send(Readable.from(allOf(first, parts)))
}

/** What makes the parts is told when nobody takes them any more. */
async function* allOf(first: IteratorResult<string>, parts: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    for (let part = first; !part.done; part = await parts.next()) yield part.value
  } finally {
    await parts.return?.()
  }
}

const isNamedFile = (value: unknown): value is NamedFile =>
  typeof value === 'object' && value !== null && 'name' in value && 'parts' in value
