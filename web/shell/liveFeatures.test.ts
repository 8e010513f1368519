import { expect, test } from 'vitest'
import { isLive, type FeatureName } from '#contract/liveFeatures.ts'
import { features } from './features.ts'

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

test.each(addresses)('visitors read that the feature “%s” is live exactly when the sidebar has its page', (name, address) => {
  const sidebar: string[] = features.flatMap((feature) => ('sidebar' in feature ? [feature.sidebar.address] : []))
  expect(isLive(name)).toBe(sidebar.includes(address))
})
