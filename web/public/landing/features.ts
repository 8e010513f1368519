import { isLive, type FeatureName } from '#contract/liveFeatures.ts'
import type { IconName } from './Icon.tsx'

type FeatureCard = { title: string; icon: IconName; text: string; needs: readonly FeatureName[] }

/** The six feature cards. A card carries the word *Soon* until everything that it needs is live. */
const cards: readonly FeatureCard[] = [
  {
    title: 'AI-Powered CRM',
    icon: 'addressBook',
    text: 'Paste a list or drop a file. Foyer sorts it into contacts and keeps the columns it cannot place.',
    needs: ['assistant', 'imports'],
  },
  {
    title: 'AI Chat Assistant',
    icon: 'messages',
    text: 'Ask about a customer, a file or your week. It answers from your own workspace.',
    needs: ['assistant'],
  },
  {
    title: 'Deal Pipeline Management',
    icon: 'board',
    text: 'Six stages side by side, the sum of each, and a forecast that adds up.',
    needs: ['deals'],
  },
  {
    title: 'Contact Management',
    icon: 'people',
    text: 'Notes, tasks and files stay with the person they belong to. Changes can be undone.',
    needs: ['contacts', 'tasks', 'files'],
  },
  {
    title: 'Email Automation',
    icon: 'mailBolt',
    text: 'Write once, choose who gets it, see what was sent. Nothing goes out without you.',
    needs: ['email'],
  },
  {
    title: 'CRM Integrations',
    icon: 'plug',
    text: 'Copy contacts from your old CRM, and keep up with what changes there while you move.',
    needs: ['crmSync'],
  },
]

export const features = cards.map(({ needs, ...card }) => ({ ...card, isSoon: !isLive(...needs) }))

/** The parts of the product that the introduction and the metadata of the page name. */
const parts: readonly { name: FeatureName; text: string }[] = [
  { name: 'contacts', text: 'contacts' },
  { name: 'deals', text: 'deals' },
  { name: 'tasks', text: 'tasks' },
  { name: 'bookings', text: 'bookings' },
  { name: 'leadForms', text: 'lead forms' },
  { name: 'files', text: 'files' },
  { name: 'email', text: 'email' },
  { name: 'assistant', text: 'an AI assistant' },
]

const listFormat = new Intl.ListFormat('en-GB')
const joinTexts = (list: typeof parts): string => listFormat.format(list.map(({ text }) => text))

/** The live parts as text: "Contacts, deals and files". */
export const liveParts = capitalise(joinTexts(parts.filter(({ name }) => isLive(name))))
/** The parts that are not live yet as text: "email and an AI assistant". Empty when everything is live. */
export const comingParts = joinTexts(parts.filter(({ name }) => !isLive(name)))

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
