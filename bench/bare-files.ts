// A minimal file server. The benchmark compares the uploads and downloads of the product with it. It writes each part of an upload into a
// file of its own, and flushes this file to the disk before it responds. It has no authentication, no validation and no database.
import { createReadStream, createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** The folder for uploaded parts, and the file that every download sends. */
const [uploadFolder = '', downloadFile = ''] = process.argv.slice(2)
const chunkBytes = 256 * 1024

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ ...toAddress(server.address()), pid: process.pid })))
process.stdin.resume().on('end', () => process.exit()) // exits when the process that started this one exits and so closes the pipe

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') return pipeline(createReadStream(downloadFile, { highWaterMark: chunkBytes }), response)
  const name = (request.url ?? '').replaceAll(/\W/g, '') // the path without slashes and other special characters
  await pipeline(request, createWriteStream(join(uploadFolder, name), { flush: true }))
  response.writeHead(204).end()
}

const toAddress = (address: unknown): object => (typeof address === 'object' && address !== null ? address : {})
