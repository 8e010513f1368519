// Compares the emails of two contacts. They are in lower case.
import { countTypos } from './words.ts'

/**
 * How two emails are related. `alias`: the same mailbox, such as "ada+shop@example.org". `similar`: one of them has a typo. `mailbox`: the
 * same first part at another provider. `none`: a contact has no email.
 */
export type EmailRelation = 'same' | 'alias' | 'similar' | 'mailbox' | 'different' | 'none'

/** The domains, without their endings, of providers where everybody can have a mailbox. Many people share such a domain. */
export const publicProviders =
  'gmail googlemail yahoo ymail rocketmail hotmail outlook live msn icloud me mac gmx web t-online freenet arcor aol mail email yandex qq 163 126 sina proton protonmail pm tutanota wp o2 op onet interia seznam centrum post orange wanadoo free laposte sfr bbox neuf libero virgilio tiscali alice tin telia bredband ziggo kpnmail planet xs4all hetnet home bluewin btinternet sky talktalk virginmedia ntlworld comcast verizon att sbcglobal bellsouth cox charter rogers shaw telus bigpond optusnet bk inbox list rambler uol bol terra ig telefonica hey fastmail zoho'.split(
    ' ',
  )

const providers = new Set(publicProviders)

/** First parts of emails that several people read. */
const sharedMailboxes =
  /^(info|office|contact|kontakt|hello|hallo|mail|email|post|sales|verkauf|vertrieb|support|service|admin|team|booking|bookings|reception|rezeption|empfang|reservations|welcome|accounts|accounting|buchhaltung|billing|invoice|rechnung|hr|jobs|marketing|enquiries|contato|contacto|contatto)$/

export function compareEmails(one: string, other: string): EmailRelation {
  if (one === '' || other === '') return 'none'
  if (one === other) return 'same'
  const [a, b] = [splitEmail(one), splitEmail(other)]
  const isSameDomain = a.domain === b.domain
  if (isSameDomain) return a.mailbox === b.mailbox ? 'alias' : isMistyped(a.mailbox, b.mailbox) ? 'similar' : 'different'
  const isSameMailbox = a.mailbox.replaceAll('.', '') === b.mailbox.replaceAll('.', '')
  if (!isSameMailbox) return 'different'
  if (isMistyped(a.domain, b.domain)) return 'similar'
  // many people have the same short mailbox name, such as "anna"
  return a.mailbox.length >= 6 && !isSharedMailbox(one) ? 'mailbox' : 'different'
}

/** Whether several people may read the mailbox, such as "office@". */
export const isSharedMailbox = (email: string): boolean => sharedMailboxes.test(splitEmail(email).mailbox)

/** Returns the domain if it belongs to one organisation, otherwise an empty text. */
export function organisationOf(email: string): string {
  const { domain } = splitEmail(email)
  return providers.has(domain.split('.')[0] ?? '') ? '' : domain
}

/** Splits an email without what the providers ignore: the part after "+", and at Gmail the dots. */
function splitEmail(email: string): { mailbox: string; domain: string } {
  const at = email.lastIndexOf('@')
  const [mailbox = ''] = email.slice(0, Math.max(at, 0)).split('+')
  const domain = email.slice(at + 1).replace(/^googlemail\./, 'gmail.')
  return { mailbox: domain === 'gmail.com' ? mailbox.replaceAll('.', '') : mailbox, domain }
}

/** Whether the texts differ by one letter. Numbers tell people with the same name apart, so they are never a typo. */
const isMistyped = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= 5 && digitsOf(one) === digitsOf(other) && countTypos(one, other, 1) <= 1

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')
