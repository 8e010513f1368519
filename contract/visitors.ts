import * as z from 'zod/mini'

/** What every write of a visitor sends besides its content. */
export const visitorFields = {
  /** The token in the page. */
  page_token: z.string().check(z.minLength(1), z.maxLength(1000)),
  /** The solved challenge of the page as JSON in base64. */
  proof: z.optional(z.string().check(z.maxLength(4000))),
  /**
   * Whether the browser runs no scripts, so that it cannot solve the challenge. Such a request is refused or stored as spam if it arrives
   * less than `minFillSecondsWithoutScript` after the page was made, or after too many others.
   */
  without_script: z._default(z.boolean(), false),
  /** A field that people do not see and leave empty. */
  subject_line: z._default(z.string().check(z.maxLength(1000)), ''),
}
export type VisitorFields = { page_token: string; proof?: string | undefined; without_script: boolean; subject_line: string }
