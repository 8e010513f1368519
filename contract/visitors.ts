import * as z from 'zod/mini'

/**
 * What every write of a visitor sends besides its content. `page_token`: the token in the page. `proof`: the solved challenge of the page
 * as JSON in base64. `without_script`: the browser runs no scripts and cannot solve the challenge. Such a request is refused or stored as
 * spam if it arrives less than `minFillSecondsWithoutScript` after the page was made, or after too many others. `subject_line` is a field
 * that people do not see and leave empty.
 */
export const visitorFields = {
  page_token: z.string().check(z.minLength(1), z.maxLength(1000)),
  proof: z.optional(z.string().check(z.maxLength(4000))),
  without_script: z._default(z.boolean(), false),
  subject_line: z._default(z.string().check(z.maxLength(1000)), ''),
}
export type VisitorFields = { page_token: string; proof?: string | undefined; without_script: boolean; subject_line: string }
