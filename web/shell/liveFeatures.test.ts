import { expect, test } from 'vitest'
import { isLive, type FeatureName } from '#contract/liveFeatures.ts'
import { features } from './features.ts'

/** The address that the sidebar has for each feature of the landing page, also for features that do not exist yet. */
const addresses: [FeatureName, string][] = [
  ['contacts', '/crm/contacts'],
  ['deals', '/crm/deals'],
  ['tasks', '/crm/tasks'],
  ['files', '/files'],
  ['bookings', '/bookings/links'],
  ['leadForms', '/lead-forms'],
  ['email', '/email-automations'],
  ['assistant', '/assistant'],
  ['chatbot', '/chat-ai/configuration'],
]

test.each(addresses)('the landing page calls the feature “%s” live if and only if the sidebar has the address %s', (name, address) => {
  const sidebar: string[] = features.flatMap((feature) => ('sidebar' in feature ? [feature.sidebar.address] : []))
  expect(isLive(name)).toBe(sidebar.includes(address))
})
