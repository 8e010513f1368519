// Reads the choices of fields such as the stage of a deal, as other programs and people write them in eleven languages.
import { leadSources } from '#contract/contacts.ts'
import { stages } from '#contract/stages.ts'
import { taskPriorities, taskStatuses } from '#contract/tasks.ts'
import { normalizeText, parseList } from './headers.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

const choices = {
  stage: toWords(stages, vocabulary.stage),
  status: toWords(taskStatuses, vocabulary.status),
  priority: toWords(taskPriorities, vocabulary.priority),
  lead_source: toWords(leadSources, vocabulary.lead_source),
}

function toWords<Choice extends string>(names: readonly Choice[], lists: Record<Choice, string>): Map<string, string> {
  return new Map(names.flatMap((name) => [name, ...parseList(lists[name])].map((word): [string, string] => [normalizeText(word), name])))
}

/** Returns the choice that the text names; undefined if it names none. */
export const readChoice = (field: keyof typeof choices, text: string): string | undefined => choices[field].get(normalizeText(text))
