import type { Pages } from '#server/platform/http/pages.ts'

/** Public pages whose documents are JSON: the name of the page, its content, and the parts that belong to one response, such as the token. */
export const contentPages: Pages = {
  application: async () => '<!doctype html>',
  publicPage: async (name, content) => ({
    bytes: JSON.stringify(content).length,
    withParts: (parts) => Buffer.from(JSON.stringify({ name, content, parts })),
  }),
}
