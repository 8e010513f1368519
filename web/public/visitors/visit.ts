// The page that a visitor has received: its token, with which its form is sent once, and the proof of work.
import { solveProof, waitUntilPlausible, type VisitProof } from './proof.ts'

/** `proof` is missing until the visitor begins to fill in the form. */
type Page = { token: string; challenge: string; openedAt: number; proof?: Promise<VisitProof> }

/** What a request of the form needs besides its content. `key`: its idempotency key or the beginning of it, one for each token. */
type PreparedVisit = { key: string; tokenAndProof: VisitProof & { page_token: string } }

export type Visit = {
  /** Returns what a request needs, as soon as the proof is found and the server does not take the visitor for a program. */
  prepare: () => Promise<PreparedVisit>
  /** Loads the page again for a new token, and returns the loaded page. What the visitor has entered stays in the fields. */
  renew: () => Promise<Document>
}

/** Reads the token of this page. Starts to work on the proof when the visitor begins to fill in the form. */
export function openVisit(form: HTMLFormElement): Visit {
  let page = readPage(document)
  const prove = (): Promise<VisitProof> => (page.proof ??= solveProof(page.challenge))
  for (const event of ['focusin', 'pointerdown'] as const) form.addEventListener(event, () => void prove(), { once: true })
  return {
    prepare: async () => {
      const proof = await prove()
      await waitUntilPlausible(proof, page.openedAt)
      // the second part of a token is its signature
      return { key: `page-${page.token.split('.')[1]}`, tokenAndProof: { ...proof, page_token: page.token } }
    },
    renew: async () => {
      const response = await fetch(location.pathname + location.search)
      if (!response.ok) throw new Error('The page could not be loaded again')
      const loaded = new DOMParser().parseFromString(await response.text(), 'text/html')
      page = readPage(loaded)
      return loaded
    },
  }
}

/** Returns true if a request that was refused with this code can succeed with the token of a newly loaded page. */
export const needsNewPageToken = (code: string | undefined): boolean => code === 'page_expired' || code === 'visit_refused'

const readPage = (page: Document): Page => ({
  token: page.querySelector<HTMLInputElement>('[name=page_token]')?.value ?? '',
  challenge: page.querySelector<HTMLElement>('#form')?.dataset['challenge'] ?? '',
  openedAt: performance.now(),
})
