import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { PublicViews } from '#contract/pages.ts'

/**
 * Whole documents as HTML. `nonce` is the one that the content security policy of the answer allows.
 */
export type Pages = {
  application: (url: string, nonce: string) => Promise<string>
  publicPage: <Name extends keyof PublicViews>(name: Name, view: PublicViews[Name], nonce: string) => Promise<string>
  /** Lets Vite answer requests for sources before the routes do. Development only; must be called before the first document. */
  attach?: (server: FastifyInstance) => Promise<void>
}

/** The folder of the build. */
export const out = new URL('../../../out/', import.meta.url)
export const assetFolders: string[] = ['app/assets', 'public/assets'].map((folder) => fileURLToPath(new URL(folder, out)))
