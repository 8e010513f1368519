import type { Pages } from '#server/platform/http/pages.ts'

/** Public pages whose documents are JSON with the content of the page and the parts of the response. */
export const contentPages: Pages = {
  application: async () => '<!doctype html>',
  publicPage: async (name, content) => ({
    bytes: JSON.stringify(content).length,
    withParts: (parts) => Buffer.from(JSON.stringify({ name, content, parts })),
  }),
}
