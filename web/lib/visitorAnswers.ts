import { formatAnswerText } from '#contract/answerTexts.ts'
import type { FieldType } from '#contract/formFields.ts'
import { getLocale } from './format.ts'

/** Formats the text of a visitor's answer to a field or a question of this type, as in the mail about it. */
export const formatVisitorAnswer = (text: string, type?: FieldType): string => formatAnswerText(text, type, getLocale())
