import type { Pages } from '#server/platform/http/pages.ts'

/** Documents of public pages that are their content as JSON, with the parts of the response. */
export const contentPages: Pages = {
  application: async () => '<!doctype html>',
  publicPage: async (name, content) => ({
    bytes: JSON.stringify(content).length,
    withParts: (parts) => Buffer.from(JSON.stringify({ name, content, parts })),
  }),
}
