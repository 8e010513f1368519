// Decides whether two contacts are likely the same person, and why. A similarity counts only if no difference contradicts it: colleagues
// with one office phone have different emails or names, and a father and his son have different first names or markers such as "jr".
import type { Pair, ReasonCode } from '#contract/duplicates.ts'
import { compareEmails, isSharedMailbox, organisationOf, type EmailRelation } from './emails.ts'
import { compareNames, hasNameWord, type NameRelation } from './names.ts'
import { wordsOf } from './words.ts'

/** The values of a contact that are compared. `email_key` is the email in lower case. */
export type ComparedContact = {
  first_name: string
  last_name: string
  email_key: string
  phone_key: string
  mobile_phone_key: string
  company: string
  mailing_street: string
  mailing_city: string
}

/** `score`: pairs with a higher score are listed first. */
export type Rating = Pick<Pair, 'certainty' | 'reasons' | 'why'> & { score: number }

/**
 * What two contacts have in common. `isNameRare`: at most a few contacts have this name. `isSameCity`: also true if one has no city.
 * `isNameInMailbox` and `isMailboxShared` look at the first email only, and are used only if the other email has the same mailbox name.
 */
type Similarities = {
  name: NameRelation
  email: EmailRelation
  phone: 'same' | 'different' | 'none'
  company: 'same' | 'domain' | 'different' | 'none'
  isSameOrganisation: boolean
  isSameAddress: boolean
  isSameCity: boolean
  isNameInMailbox: boolean
  isMailboxShared: boolean
  isNameRare: boolean
}

type RuleResult = { certainty: Pair['certainty']; score: number; reason: ReasonCode | undefined }

const certain = (score: number, reason?: ReasonCode): RuleResult => ({ certainty: 'certain', score, reason })
const likely = (score: number, reason?: ReasonCode): RuleResult => ({ certainty: 'likely', score, reason })

/** Returns why two contacts are likely the same person; undefined if they are not. */
export function ratePair(one: ComparedContact, other: ComparedContact, isNameRare: boolean): Rating | undefined {
  const similarities = findSimilarities(one, other, isNameRare)
  const result =
    rateByEmail(similarities) ??
    rateByPhone(similarities) ??
    rateByCompany(similarities) ??
    rateBySimilarEmail(similarities) ??
    rateByAddress(similarities) ??
    rateByName(similarities)
  if (!result) return undefined
  const reasons = [result.reason, nameReasons[similarities.name]].filter((reason) => reason !== undefined)
  return { certainty: result.certainty, score: result.score, reasons, why: toSentence(reasons) }
}

function findSimilarities(one: ComparedContact, other: ComparedContact, isNameRare: boolean): Similarities {
  const phones = [one, other].map(({ phone_key, mobile_phone_key }) => [phone_key, mobile_phone_key].filter((key) => key !== ''))
  const [phonesOfOne = [], phonesOfOther = []] = phones
  // a phone and a mobile phone of one person are two numbers
  const isPhoneDifferent = (['phone_key', 'mobile_phone_key'] as const).some(
    (key) => one[key] !== '' && other[key] !== '' && one[key] !== other[key],
  )
  const address = addressOf(one)
  return {
    name: compareNames(one, other),
    email: compareEmails(one.email_key, other.email_key),
    phone: phonesOfOne.some((key) => phonesOfOther.includes(key)) ? 'same' : isPhoneDifferent ? 'different' : 'none',
    company: compareCompanies(one, other),
    isSameOrganisation: haveSameOrganisation(one, other),
    isSameAddress: address !== '' && address === addressOf(other),
    isSameCity:
      one.mailing_city === '' || other.mailing_city === '' || wordsOf(one.mailing_city).join() === wordsOf(other.mailing_city).join(),
    isNameInMailbox: hasNameWord(one.email_key.split('@')[0] ?? '', one),
    isMailboxShared: isSharedMailbox(one.email_key),
    isNameRare,
  }
}

const legalForms = new Set(
  'the gmbh mbh ug kg ag ohg ev co company ltd limited llp plc inc incorporated corp corporation llc sa sas sarl srl spa bv nv ab as asa oy oyj aps sro spzoo ks se'.split(
    ' ',
  ),
)

/** Returns the name of a company without its legal form. */
const companyOf = ({ company }: ComparedContact): string =>
  wordsOf(company)
    .filter((word) => !legalForms.has(word))
    .join(' ')

function compareCompanies(one: ComparedContact, other: ComparedContact): Similarities['company'] {
  const [companyOfOne, companyOfOther] = [companyOf(one), companyOf(other)]
  if (companyOfOne !== '' && companyOfOne === companyOfOther) return 'same'
  if (haveSameOrganisation(one, other)) return 'domain'
  const isOneInOther = companyOfOne.startsWith(companyOfOther) || companyOfOther.startsWith(companyOfOne)
  return companyOfOne === '' || companyOfOther === '' || isOneInOther ? 'none' : 'different'
}

function haveSameOrganisation(one: ComparedContact, other: ComparedContact): boolean {
  const organisation = organisationOf(one.email_key)
  return organisation !== '' && organisation === organisationOf(other.email_key)
}

/** Returns the sorted words of the street, and the city; an empty text without a house number, because many people share a street. */
function addressOf({ mailing_street, mailing_city }: ComparedContact): string {
  const words = wordsOf(mailing_street)
  if (!words.some((word) => /\d/.test(word)) || words.length < 2) return ''
  return [...words.toSorted(), ...wordsOf(mailing_city)].join(' ')
}

const isSameName = ({ name }: Similarities): boolean => name === 'same' || name === 'marks' || name === 'swapped'
const isLongerName = ({ name }: Similarities): boolean => name === 'initial' || name === 'longer' || name === 'short'

function rateByEmail(similarities: Similarities): RuleResult | undefined {
  const { email, name, isMailboxShared } = similarities
  if (email === 'same') {
    if (name === 'different') return isMailboxShared ? undefined : likely(70, 'same_email')
    return certain(100, 'same_email')
  }
  if (email !== 'alias' || name === 'different' || name === 'missing') return undefined
  return isSameName(similarities) || name === 'typo' ? certain(95, 'same_email_alias') : likely(75, 'same_email_alias')
}

function rateByPhone(similarities: Similarities): RuleResult | undefined {
  const { phone, name, email } = similarities
  if (phone !== 'same') return undefined
  if (isSameName(similarities)) return certain(95, 'same_phone')
  const isEmailDifferent = email === 'different'
  if (name === 'typo') return isEmailDifferent ? likely(70, 'same_phone') : certain(90, 'same_phone')
  if (name === 'missing') return email === 'none' ? certain(85, 'same_phone') : undefined
  if (name === 'word') return email === 'none' ? likely(65, 'same_phone') : undefined
  return isLongerName(similarities) && !isEmailDifferent ? likely(75, 'same_phone') : undefined
}

function rateByCompany(similarities: Similarities): RuleResult | undefined {
  const { company, name, email, phone, isSameOrganisation } = similarities
  if (company !== 'same' && company !== 'domain') return undefined
  const reason = company === 'same' ? 'same_company' : 'same_email_domain'
  const isEmailDifferent = email === 'different'
  if (isSameName(similarities)) {
    if (!isEmailDifferent) return certain(88, reason)
    // two mailboxes of one organisation belong to two colleagues with the same name
    return phone === 'different' || isSameOrganisation ? undefined : likely(66, reason)
  }
  if (isEmailDifferent || phone === 'different') return undefined
  return name === 'typo' || isLongerName(similarities) ? likely(68, reason) : undefined
}

function rateBySimilarEmail(similarities: Similarities): RuleResult | undefined {
  const { email, name, isNameInMailbox } = similarities
  const isSimilarName = isSameName(similarities) || name === 'typo'
  if (email === 'similar') return isSimilarName || isLongerName(similarities) ? likely(72, 'similar_email') : undefined
  return email === 'mailbox' && isSimilarName && isNameInMailbox ? likely(64, 'same_email_name') : undefined
}

function rateByAddress(similarities: Similarities): RuleResult | undefined {
  const { isSameAddress, name, email, phone } = similarities
  if (!isSameAddress) return undefined
  if (isSameName(similarities)) return email === 'different' && phone === 'different' ? undefined : likely(74, 'same_address')
  return (name === 'typo' || name === 'longer') && email !== 'different' ? likely(62, 'same_address') : undefined
}

function rateByName(similarities: Similarities): RuleResult | undefined {
  const { email, phone, company, isSameCity, isNameRare } = similarities
  const isContradicted = email !== 'none' || phone === 'different' || company === 'different' || !isSameCity
  return isSameName(similarities) && !isContradicted && isNameRare ? likely(50) : undefined
}

const nameReasons: Readonly<Record<NameRelation, ReasonCode | undefined>> = {
  same: 'same_name',
  marks: 'same_name_without_marks',
  swapped: 'swapped_names',
  typo: 'similar_name',
  initial: 'initial',
  short: 'short_first_name',
  longer: 'longer_name',
  word: 'longer_name',
  missing: 'name_missing',
  different: 'different_names',
}

const phrases: Readonly<Record<ReasonCode, string>> = {
  same_email: 'same email',
  same_email_alias: 'same mailbox',
  similar_email: 'almost the same email',
  same_email_name: 'same email name at another provider',
  same_phone: 'same phone',
  same_company: 'same company',
  same_email_domain: 'same email domain',
  same_address: 'same street and number',
  same_name: 'same name',
  same_name_without_marks: 'same name without the marks',
  swapped_names: 'first and last name swapped',
  similar_name: 'almost the same name',
  initial: 'initial instead of the first name',
  short_first_name: 'short first name',
  longer_name: 'one name is longer',
  name_missing: 'no name',
  different_names: 'different names',
}

/** Returns the reasons as a sentence, such as "Same phone, almost the same name". */
function toSentence(reasons: readonly ReasonCode[]): string {
  const text = reasons.map((reason) => phrases[reason]).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
