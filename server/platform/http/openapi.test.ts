import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes } from '#contract/route.ts'
import { allRoutes } from '#contract/routes.ts'
import { openApi } from './openapi.ts'

/** Two routes for these tests: one with a body of bytes, and one with a response of bytes. */
const transfers = defineRoutes({
  upload: {
    method: 'POST',
    path: '/api/test-files',
    summary: 'Add a file',
    caller: 'user',
    changes: { noUndo: 'It is a test' },
    upload: true,
    out: z.object({ id: z.uuid() }),
    example: {},
  },
  download: {
    method: 'GET',
    path: '/api/test-files/{id}',
    summary: 'The file',
    caller: 'user',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    download: true,
    example: {},
  },
})
const forSessions = defineRoutes({ list: { ...transfers.download, path: '/api/test-keys/{id}', isForSessionsOnly: true } })

/** The formats of JSON Schema 2020-12 and of OpenAPI 3.1 for values. `binary` and `byte` belong to OpenAPI 3.0 only. */
const formats = `date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid
  uri-template json-pointer relative-json-pointer regex int32 int64 float double password`.split(/\s+/)

test('the document uses only formats that OpenAPI 3.1 defines', () => {
  const usedFormats = new Set<string>()
  JSON.stringify(openApi([...allRoutes, ...Object.values(transfers)], 'https://foyer.test'), (key, value: unknown) => {
    if (key === 'format' && typeof value === 'string') usedFormats.add(value)
    return value
  })
  expect(usedFormats.size).toBeGreaterThan(1)
  expect([...usedFormats].filter((format) => !formats.includes(format))).toEqual([])
})

test('a body of bytes has no schema, because OpenAPI 3.1 describes bytes by their media type', () => {
  const { paths } = Document.parse(openApi(Object.values(transfers), 'https://foyer.test'))
  expect(paths['/api/test-files']?.['post']?.requestBody).toEqual({ required: true, content: { '*/*': {} } })
  expect(paths['/api/test-files/{id}']?.['get']?.responses['200']).toEqual({ description: 'The file', content: { '*/*': {} } })
})

test.each([
  ['the product', allRoutes, ['session', 'apiKey']],
  ['routes for sessions only', Object.values(forSessions), ['session']],
])('the document of %s offers exactly the security schemes that its routes accept', (_title, listedRoutes, schemes) => {
  const { paths, components } = Document.parse(openApi(listedRoutes, 'https://foyer.test'))
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const accepted = new Set(operations.flatMap(({ security }) => security.flatMap((requirement) => Object.keys(requirement))))
  expect([...accepted].toSorted()).toEqual(schemes.toSorted())
  expect(Object.keys(components.securitySchemes).toSorted()).toEqual(schemes.toSorted())
})

const Operation = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  requestBody: z.optional(z.unknown()),
  responses: z.record(z.string(), z.unknown()),
})
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['http', 'apiKey']) })) }),
})
