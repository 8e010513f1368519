import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { contentPages } from '#server/testing/pages.ts'
import { serveDocuments } from './documents.ts'
import { createAttempts } from './limits.ts'
import { createTemplate } from './page-template.ts'
import type { Pages } from './pages.ts'
import { definePublicPage, type PublicPage } from './public-pages.ts'
import { createVisitors } from './visitors/visitors.ts'

const files = { style: 'web/public/landing/landing.css' }
const landingContent = { year: 2031, address: 'https://foyer.example' }

/** A page with its own policy. Only the address /forms/newsletter exists. */
const formPage = definePublicPage({
  name: 'landing',
  path: '/forms/{form}',
  files,
  policy: { sources: { 'img-src': ['https://images.example'], 'frame-src': ['https://video.example'] }, frameAncestors: ['*'] },
  loadContent: async ({ url }) => (url === '/forms/newsletter' ? landingContent : undefined),
})
const plainPage = definePublicPage({ name: 'landing', path: '/plain', files, loadContent: async () => landingContent })
const notFoundPage = definePublicPage({ name: 'notFound', path: '*', files, loadContent: async () => null })

let workspace: Workspace
let server: FastifyInstance
beforeAll(async () => {
  workspace = await openWorkspace()
  server = serve([formPage, plainPage, notFoundPage])
})
afterAll(() => workspace.stop())

function serve(publicPages: PublicPage[]): FastifyInstance {
  const pages: Pages = { ...contentPages, application: async () => 'the application' }
  const now = (): Date => new Date()
  const installationKey = 'the key of an installation in tests'
  const visitors = createVisitors({
    installationKey,
    attempts: createAttempts(workspace.application, now),
    now,
  })
  const services = {
    database: workspace.database,
    address: landingContent.address,
    now,
    isSignedIn: async () => false,
    visitors,
    installationKey,
    sendsMail: false,
  }
  const newServer = fastify()
  newServer.addHook('onRequest', async (_request, reply) => void reply.header('x-frame-options', 'SAMEORIGIN'))
  serveDocuments(newServer, { pages, screens: [{ path: '/crm/contacts' }], publicPages, services })
  return newServer
}

test('a public page is served without a session, and its policy allows the origins and frames that the page names', async () => {
  const { statusCode, headers, body } = await server.inject('/forms/newsletter')
  // the nonce has 24 characters: 16 bytes in base64
  const parts = { nonce: expect.stringMatching(/^.{24}$/), token: '', challenge: '' }
  expect([statusCode, JSON.parse(body)]).toEqual([200, { name: 'landing', content: landingContent, parts }])
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("img-src 'self' data: blob: https://images.example;")
  expect(policy).toContain("frame-src 'self' https://video.example")
  expect(policy).toContain('frame-ancestors *')
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}';/)
  expect(headers['x-frame-options']).toBeUndefined()
})

test('a template replaces its placeholders, but not the same words in the content, and escapes the token and the challenge', () => {
  const parts = { nonce: 'a', token: '"><b>', challenge: '{"c":1}' }
  let placeholders = parts
  const template = createTemplate((templateParts) => {
    placeholders = templateParts
    return `<p n="${templateParts.nonce}" t="${templateParts.token}">nonce token ${templateParts.challenge} ö ${templateParts.nonce}</p>`
  })
  expect(template.withParts(parts).toString()).toBe('<p n="a" t="&quot;&gt;&lt;b&gt;">nonce token {&quot;c&quot;:1} ö a</p>')
  expect(template.withParts({ nonce: 'b', token: '$&', challenge: '' }).toString()).toBe('<p n="b" t="$&amp;">nonce token  ö b</p>')
  expect(new Set(Object.values(placeholders)).size).toBe(3)
})

test('a public page without a policy of its own may not be shown in a frame, and may not load from other origins', async () => {
  const { headers } = await server.inject('/plain')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).not.toContain('example')
  expect(headers['x-frame-options']).toBe('SAMEORIGIN')
})

test.each(['/forms/other', '/nowhere'])('%s gets status 404 with the not-found page', async (url) => {
  const { statusCode, body } = await server.inject(url)
  expect([statusCode, JSON.parse(body).name]).toEqual([404, 'notFound'])
})

test('an unknown address gets a problem document if it is below /api, or if the method is not GET', async () => {
  expect((await server.inject('/api/nowhere')).json()).toMatchObject({ code: 'not_found' })
  expect((await server.inject({ method: 'POST', url: '/nowhere' })).json()).toMatchObject({ code: 'not_found' })
})

test('an unknown address gets a problem document if no not-found page is registered', async () => {
  expect((await serve([plainPage]).inject('/nowhere')).json()).toMatchObject({ status: 404, code: 'not_found' })
})
