import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { PublicContents } from '#contract/pages.ts'
import type { PageTemplate } from './page-template.ts'

/** The bodies of responses of the API as JSON, by the address of the request. */
export type FirstResponses = ReadonlyMap<string, string>

/** Renders whole HTML documents. `nonce` is the nonce in the content security policy of the response. */
export type Pages = {
  /** The document of a screen. It contains `responses`, so that the screen does not need to request them. */
  application: (url: string, nonce: string, responses: FirstResponses) => Promise<string>
  /** Returns the addresses of the API that a signed-in screen requests first. Missing in development. */
  firstRequests?: (url: string) => readonly string[]
  /** The document of a page for visitors, without what differs in each response (`PageParts`). */
  publicPage: <Name extends keyof PublicContents>(name: Name, content: PublicContents[Name]) => Promise<PageTemplate>
  /** Makes Vite serve requests for source files. Exists only in development, and must be called before the first document is requested. */
  attach?: (server: FastifyInstance) => Promise<void>
}

/** The folder of the build. */
export const buildFolder = new URL('../../../out/', import.meta.url)
export const assetFolders: string[] = ['app/assets', 'public/assets'].map((folder) => fileURLToPath(new URL(folder, buildFolder)))
