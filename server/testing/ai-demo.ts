// The replies of the stand-in for an AI endpoint (ai-server.ts) if its option `respond` gives none, so that every screen of the product can
// be looked at.
import * as z from 'zod/mini'
import type { Part, Reply } from './ai-reply.ts'
import type { AiRequest } from './ai-request.ts'

/** A line that asks for a call of a tool, such as `tool: find {"kind":"contact"}`. */
const toolLine = /^\s*tool:\s*(\w+)\s*(\{.*\})?\s*$/gm

/**
 * Answers a text that contains `table` with a table and code, a text that contains `long` slowly, and a text with lines `tool: NAME
 * {INPUT}` with calls of the offered tools, and then with a summary of their results. Answers a request for JSON of a schema with an
 * example, and a request for a picture with a picture.
 */
export async function demoReply(request: AiRequest): Promise<Reply> {
  const { text, tools, toolResults, pictures, instructions } = request
  if (request.path === '/images/generations') return { picture: await drawPicture(request.body.prompt), as: 'b64_json' }
  if (request.path !== '/chat/completions') return { status: 404, body: { error: { message: `There is no ${request.path}` } } }
  const probeReply = replyToProbe(request)
  if (probeReply !== undefined) return probeReply
  if (toolResults.length > 0) return slowly(summarise(toolResults))
  const calls = [...text.matchAll(toolLine)].map(([, name = '', input = '{}']) => ({ name, input }))
  const offeredCalls = calls.filter(({ name }) => tools.includes(name))
  if (offeredCalls.length > 0) return [{ text: 'Let me look. ' }, { calls: offeredCalls, style: 'mixed' }]
  const schema = instructions.match(/^\{.*"type".*\}$/m)?.[0]
  if (schema !== undefined) return JSON.stringify(exampleOf(JSON.parse(schema)))
  if (pictures.length > 0) return slowly(`I see ${pictures.length === 1 ? 'a picture' : `${pictures.length} pictures`}.\n\n${paragraph}`)
  if (/\btable\b/i.test(text)) return slowly(tableAnswer)
  if (/\blong\b/i.test(text)) return slowly(Array.from({ length: 30 }, (_, index) => `${index + 1}. ${paragraph}`).join('\n\n'), 60)
  return slowly(`You wrote: ${text.slice(0, 300).trim()}\n\n${paragraph}`)
}

/** Answers the requests of the test of a connection, so that the product shows all abilities. */
function replyToProbe({ text, tools, toolResults }: AiRequest): Reply | undefined {
  if (tools.includes('report_ready') && toolResults.length === 0) return [{ calls: [{ name: 'report_ready', input: { ready: true } }] }]
  if (text === 'What is the sum of 2 and 3?') return '{"sum":5}'
  return text === 'Which color has this picture?' ? 'Red' : undefined
}

const paragraph =
  'The library shelves are the **largest open deal**. Its proposal was sent on Monday, and nobody has replied yet, so a short call this week would help.'

const tableAnswer = `Here are the open deals:

| Deal | Company | Value |
| --- | --- | ---: |
| Library shelves | Nordlicht Bibliothek | 12 400 € |
| Reception desk | Hotel Sonne | 8 150 € |
| Meeting tables | Atelier Brandt | 3 900 € |

They were counted like this:

\`\`\`sql
select company, sum(value)
from deals
where stage <> 'won'
group by company
\`\`\`

${paragraph}`

const slowly = (text: string, everyMs = 20): Part[] => [{ text: text.match(/\S*\s*/g)?.filter((word) => word !== '') ?? [], everyMs }]

const summarise = (results: readonly string[]): string =>
  results.map((result) => `The tool answered with ${result.length} characters:\n\n\`\`\`json\n${result.slice(0, 600)}\n\`\`\``).join('\n\n')

const Schema = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  anyOf: z.optional(z.array(z.unknown())),
  properties: z._default(z.record(z.string(), z.unknown()), {}),
  items: z.optional(z.unknown()),
})

/** Returns a value that matches a JSON schema without rules about formats. */
function exampleOf(json: unknown): unknown {
  const schema = Schema.parse(json)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0])
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'object') return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]))
  if (type === 'array') return schema.items === undefined ? [] : [exampleOf(schema.items)]
  if (type === 'string') return 'An example'
  if (type === 'boolean') return true
  return type === 'null' ? null : 1
}

const pictureSize = 1024

/**
 * Draws a picture of a sunset, whose colors depend on the length of the prompt. It is made of pixels, because the server may have turned
 * off the formats that sharp could draw from.
 */
async function drawPicture(prompt: string): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const shift = (prompt.length * 47) % 100
  const colorAt = (x: number, y: number): readonly number[] => {
    if (y > 720 + 40 * Math.sin(x / 120)) return [40, 30 + shift, 60]
    if ((x - 512) ** 2 + (y - 640) ** 2 < 170 ** 2) return [255, 235, 190]
    const height = y / pictureSize
    return [60 + 190 * height, 60 + shift * height, 150 - 60 * height]
  }
  const pixels = new Uint8Array(pictureSize * pictureSize * 3)
  for (let pixel = 0; pixel < pictureSize ** 2; pixel++)
    pixels.set(colorAt(pixel % pictureSize, Math.floor(pixel / pictureSize)), pixel * 3)
  return sharp(pixels, { raw: { width: pictureSize, height: pictureSize, channels: 3 } })
    .png()
    .toBuffer()
}
