import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { PublicContents } from '#contract/pages.ts'

/** Renders whole HTML documents. `nonce` is the nonce in the content security policy of the response. */
export type Pages = {
  application: (url: string, nonce: string) => Promise<string>
  publicPage: <Name extends keyof PublicContents>(name: Name, content: PublicContents[Name], nonce: string) => Promise<string>
  /** Makes Vite serve requests for source files. Exists only in development, and must be called before the first document is requested. */
  attach?: (server: FastifyInstance) => Promise<void>
}

/** The folder of the build. */
export const buildFolder = new URL('../../../out/', import.meta.url)
export const assetFolders: string[] = ['app/assets', 'public/assets'].map((folder) => fileURLToPath(new URL(folder, buildFolder)))
