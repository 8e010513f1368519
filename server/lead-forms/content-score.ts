// Finds submissions that read like advertising, without an external service. They go into the spam folder, where their owner finds them.
import type { Answers, FormField } from '#contract/formFields.ts'

/** The property of the answers that got the most points. */
export type ContentSuspicion = 'many_links' | 'known_words' | 'mixed_scripts'

/** A submission with at least this number of points is suspicious. One link in a text or one known word is not enough. */
const minScore = 3
const pointsPerFormattedLink = 3
const pointsPerLinkInName = 3
const pointsPerKnownWord = 1.5
const pointsPerMixedWord = 1.5

/** Words of advertising that is sent to forms everywhere. They are rare in questions to a business, and one alone proves nothing. */
const knownWords =
  /\b(?:viagra|cialis|levitra|tramadol|casinos?|slots? online|jackpot|betting|escorts?|porn\w*|xxx|backlinks?|guest posts?|seo services?|page rank|first page of google|rank(?:ing)? on google|crypto(?:currency)?|bitcoins?|forex|binary options|payday loans?|weight loss|replica watches|telegram channel|make money online|passive income|100% free traffic)\b/giu
const link = /(?:https?:\/\/|www\.)[^\s<>"']+/giu
/** Links in the formats of web pages and forums, which people do not type into a form. */
const formattedLink = /<a\s[^>]{0,100}href|\[(?:url|link)[=\]]/giu
/** A Latin letter beside a letter that only looks Latin. */
const mixedLetters = /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u
/** Only this number of characters is checked. */
const maxLength = 20_000

/** Answers to fields of these types are texts of the visitor. */
const textTypes: ReadonlySet<FormField['field_type']> = new Set(['text', 'textarea'])

/** Returns why the answers read like advertising; undefined if they do not. */
export function findContentSuspicion(fields: readonly FormField[], answers: Answers): ContentSuspicion | undefined {
  const names = [answers['first_name'], answers['last_name']].map(String).join(' ')
  const texts = fields
    .flatMap(({ field_type: type, field_name: name }) => (textTypes.has(type) ? (answers[name] ?? []) : []))
    .join('\n')
    .slice(0, maxLength)
  const all = `${names}\n${texts}`.slice(0, maxLength)
  const points: Record<ContentSuspicion, number> = {
    // no points for the first link, because visitors send the address of their website
    many_links:
      Math.max(0, count(texts, link) - 1) + count(all, formattedLink) * pointsPerFormattedLink + count(names, link) * pointsPerLinkInName,
    known_words: new Set(all.toLowerCase().match(knownWords)).size * pointsPerKnownWord,
    mixed_scripts: all.split(/\P{L}+/u).filter((word) => mixedLetters.test(word)).length * pointsPerMixedWord,
  }
  if (points.many_links + points.known_words + points.mixed_scripts < minScore) return undefined
  if (points.many_links >= points.known_words && points.many_links >= points.mixed_scripts) return 'many_links'
  return points.known_words >= points.mixed_scripts ? 'known_words' : 'mixed_scripts'
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
