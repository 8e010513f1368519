// Reads files in a child process, because documents can be made to exhaust memory, to run forever or to crash a library.
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { maxTextLength, textReasons } from '#contract/fileTexts.ts'
import { toStorableText } from '#server/platform/database/storable.ts'
import type { PictureRequest, ProgramRequest, TextRequest } from './program/request.ts'
import type { Extraction } from './text.store.ts'

const program = fileURLToPath(new URL('program/program.ts', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The program is killed after this time. It ends itself after 12 s, unless something blocks it. */
const timeoutMs = 15_000
/** Each character of a text may need six bytes in JSON. */
const maxTextOutputBytes = 6 * maxTextLength + 4 * 1024 * 1024

/** What the program writes. It is checked, because a document may have found a way to control the program. */
const TextOutput = z.object({
  text: z.union([
    z.object({
      pages: z.array(z.string().check(z.maxLength(maxTextLength))).check(z.maxLength(maxTextLength)),
      hasPages: z.boolean(),
      isCut: z.boolean(),
    }),
    z.object({ reason: z.enum(textReasons) }),
  ]),
  /** In base64. */
  thumbnail: z.optional(z.string().check(z.maxLength(1024 * 1024))),
  /** The reason why the library for images cannot be loaded on this machine. */
  missingLibrary: z.optional(z.string().check(z.maxLength(10_000))),
})

/**
 * Reads the text of a file, and makes a thumbnail of an image. A crash of the program counts as a damaged file. Throws the reason of an
 * aborted signal, and errors of the disk and of `content`.
 */
export async function extractInProgram(content: AsyncIterable<Uint8Array>, request: TextRequest, signal: AbortSignal): Promise<Extraction> {
  const output = await runProgram(content, request, { maxOutputBytes: maxTextOutputBytes, signal })
  return output === 'timeout' ? { text: { reason: output } } : parseTextOutput(output)
}

/**
 * Writes an image in another format. Returns undefined if it is damaged, has more than 100 megapixels, or would have more than `maxBytes`.
 * Throws the reason of an aborted signal, and errors of the disk and of `content`.
 */
export async function convertInProgram(
  content: AsyncIterable<Uint8Array>,
  { maxBytes, ...request }: PictureRequest & { maxBytes: number },
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const maxLength = Math.ceil(maxBytes / 3) * 4 // in base64
  const output = await runProgram(content, request, { maxOutputBytes: maxLength + 1024, signal })
  const PictureOutput = z.object({ picture: z.string().check(z.maxLength(maxLength)) })
  const { data } = PictureOutput.safeParse(output === 'timeout' ? undefined : parseJson(output.toString('utf8')))
  return data && Buffer.from(data.picture, 'base64')
}

type ProgramOptions = { maxOutputBytes: number; signal: AbortSignal }

/** Returns what the program writes. It is empty after a crash, and if it would have more than `maxOutputBytes`. */
async function runProgram(
  content: AsyncIterable<Uint8Array>,
  request: ProgramRequest,
  { maxOutputBytes, signal }: ProgramOptions,
): Promise<Buffer | 'timeout'> {
  const path = join(tmpdir(), `foyer-${randomUUID()}`)
  await using file = await open(path, 'wx+', 0o600)
  await unlink(path) // so that nothing is left behind, however this process ends
  await pipeline(Readable.from(content), createWriteStream('', { fd: file.fd, autoClose: false }), { signal })
  signal.throwIfAborted()
  const child = start(request, file.fd)
  child.stdin?.on('error', () => {}) // an error of this pipe only says that the program has ended
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    kill()
  }, timeoutMs)
  try {
    const [output] = await Promise.all([readOutput(child, maxOutputBytes), waitForExit(child)])
    signal.throwIfAborted()
    return isLate ? 'timeout' : output
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', kill)
    kill()
  }
}

/**
 * Starts the program without the environment of this process, which holds secrets. It may read only its own code, besides the file, which
 * is open as file descriptor 3. It writes its result to file descriptor 4, and ends when its standard input ends with this process.
 */
function start(request: ProgramRequest, fd: number): ChildProcess {
  const readable = ['node_modules', 'server', 'contract'].map((folder) => `--allow-fs-read=${join(root, folder)}`)
  const permissions = ['--permission', '--allow-worker', '--allow-addons', `--allow-fs-read=${join(root, 'package.json')}`, ...readable]
  return spawn(
    process.execPath,
    [...permissions, '--disable-warning=SecurityWarning', '--max-old-space-size=64', program, JSON.stringify(request)],
    {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore', fd, 'pipe'],
    },
  )
}

async function waitForExit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Returns what the program writes, or an empty buffer if it is too long. */
async function readOutput(child: ChildProcess, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  const output = child.stdio[4]
  if (!(output instanceof Readable)) throw new Error('The program has no output')
  for await (const chunk of output) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.byteLength
    if (bytes > maxBytes) {
      child.kill('SIGKILL')
      return Buffer.alloc(0)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseTextOutput(output: Buffer): Extraction {
  const { success, data } = TextOutput.safeParse(parseJson(output.toString('utf8')))
  if (!success) return { text: { reason: 'damaged' } }
  if (data.missingLibrary !== undefined) warnOnce(data.missingLibrary)
  const thumbnail = data.thumbnail === undefined ? undefined : Buffer.from(data.thumbnail, 'base64')
  return { text: 'reason' in data.text ? data.text : { ...data.text, pages: data.text.pages.map(toStorableText) }, thumbnail }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

let hasWarned = false
function warnOnce(reason: string): void {
  if (hasWarned) return
  hasWarned = true
  process.emitWarning(`Images get no thumbnails, because the library sharp cannot be loaded: ${reason}`)
}
