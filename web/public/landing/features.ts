import type { IconName } from './Icon.tsx'

/** The six feature cards. */
export const features: { title: string; icon: IconName; text: string }[] = [
  {
    title: 'AI-Powered CRM',
    icon: 'addressBook',
    text: 'Paste a list or drop a file. Foyer sorts it into contacts and keeps the columns it cannot place.',
  },
  {
    title: 'AI Chat Assistant',
    icon: 'messages',
    text: 'Ask about a customer, a file or your week. It answers from your own workspace.',
  },
  {
    title: 'Deal Pipeline Management',
    icon: 'board',
    text: 'Six stages side by side, the sum of each, and a forecast that adds up.',
  },
  {
    title: 'Contact Management',
    icon: 'people',
    text: 'Notes, files and appointments stay with the person they belong to. Changes can be undone.',
  },
  {
    title: 'Email Automation',
    icon: 'mailBolt',
    text: 'Write once, choose who gets it, see what was sent. Nothing goes out without you.',
  },
  {
    title: 'CRM Integrations',
    icon: 'plug',
    text: 'Bring contacts in from another CRM, from forms, from chat logs or over the API.',
  },
]
