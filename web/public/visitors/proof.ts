// The proof of work of a page for visitors, which makes it expensive for a program to send thousands of forms.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { minFillSeconds, minFillSecondsWithoutScript } from '#contract/visitorForms.ts'

/** The proof of work in the request of a visitor, or the statement that there is none. */
export type VisitProof = { proof: string } | { without_script: true }

/**
 * Solves the challenge of a page, which takes about a second of work in the background. Browsers have the functions for it only over HTTPS;
 * without them, and if no solution is found within the 90 s of the package, the result says that there is no proof.
 */
export async function solveProof(challengeText: string): Promise<VisitProof> {
  try {
    const challenge = JSON.parse(challengeText)
    const solution = await solveChallenge({ challenge, deriveKey })
    if (solution) return { proof: btoa(JSON.stringify({ challenge, solution })) }
  } catch {
    // the browser has no Web Crypto
  }
  return { without_script: true }
}

/**
 * Waits until the page has been open for so long that the server does not take the visitor for a program. `openedAt` is when the page was
 * opened, in ms by `performance.now`.
 */
export async function waitUntilPlausible(proof: VisitProof, openedAt: number): Promise<void> {
  const seconds = 'proof' in proof ? minFillSeconds : minFillSecondsWithoutScript
  const waitMs = openedAt + (seconds + 0.3) * 1000 - performance.now()
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}
