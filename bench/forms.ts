// Adds a form for the benchmark, and measures how many submissions it accepts in a second.
import { randomUUID } from 'node:crypto'
import { createPageTokens } from '#server/platform/http/visitors/page-token.ts'
import { createProofOfWork, setProofDifficulty } from '#server/platform/http/visitors/proof-of-work.ts'
import { solveProof } from '#server/testing/visitors.ts'
import { measureRate, send, toAddress } from './visitors.ts'

type Form = { id: string; slug: string; owner: string }

const measurementMs = 5000
/** The factor of the work of a proof while a page is not opened unusually often. */
export const usualWork = 1
/** A page takes at most 600 requests in 15 minutes. */
const maxSubmissions = 500

/** Adds a form with five fields. */
export async function addForm(url: string, token: string, owner: string): Promise<Form> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const created = await send('POST', `${url}/api/lead-forms`, headers, JSON.stringify({ title: 'Ask for an offer' }))
  const { id, slug }: { id: string; slug: string } = JSON.parse(created)
  const form_fields = (['email', 'tel', 'textarea', 'select', 'checkbox'] as const).map((type) => ({
    id: randomUUID(),
    field_name: type,
    field_label: `Your ${type}`,
    field_type: type,
    is_required: false,
    placeholder: '',
    options: ['Oak', 'Ash'],
  }))
  await send('PATCH', `${url}/api/lead-forms/${id}`, headers, JSON.stringify({ is_active: true, form_fields }))
  return { id, slug, owner }
}

/**
 * Sends submissions of different visitors, and returns their number in a second. The proofs of work are computed before the measurement,
 * with the key of the installation.
 */
export async function measureSubmissions(url: string, { id, owner }: Form, installationKey: string): Promise<number> {
  setProofDifficulty({ iterations: 1, prefix: '0' })
  // the page tokens are 10 s old, because a form that is sent only some seconds after its page was opened is stored as spam
  const tokens = createPageTokens(installationKey, () => new Date(Date.now() - 10_000))
  const proofs = createProofOfWork(installationKey)
  const bodies: string[] = []
  for (let number = 0; number < maxSubmissions; number++) {
    const { id: tokenId, token: page_token } = tokens.issue({ owner, kind: 'form', id })
    const proof = await solveProof(proofs.createChallenge(tokenId, usualWork))
    const values = { first_name: 'Mary', last_name: `Visitor ${number}` }
    bodies.push(JSON.stringify({ page_token, proof, values }))
  }
  let next = 0
  return measureRate(measurementMs, async () => {
    const number = next++
    const body = bodies[number]
    if (body === undefined) return false
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': `bench-submission-${number}`,
      'x-forwarded-for': toAddress(200_000 + number),
    }
    await send('POST', `${url}/api/public/forms/${id}/submissions`, headers, body)
    return true
  })
}
