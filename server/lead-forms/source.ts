import type { NewSubmission } from '#contract/submissions.ts'

/** The parameters of campaigns, which advertisements add to the address of a page. */
const campaignParameters = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'gclid', 'fbclid', 'msclkid']

const maxLength = 500

/** Returns where the visitor came from: the parameters of campaigns, and the page that contained the form. */
export function readSource({ parameters, embedded_in: page }: Pick<NewSubmission, 'parameters' | 'embedded_in'>): Record<string, string> {
  const campaign = campaignParameters.flatMap((name): [string, string][] => {
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    return value ? [[name, cleanText(value)]] : []
  })
  const isAddress = /^https?:\/\//i.test(page) && URL.canParse(page)
  return Object.fromEntries(isAddress ? [...campaign, ['page', cleanText(page)]] : campaign)
}

const cleanText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .slice(0, maxLength)
    .toWellFormed()
