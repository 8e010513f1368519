import { fieldTypes } from '#contract/formFields.ts'
import { maxQuestions } from '#contract/bookingLinks.ts'
import { FieldList } from '#web/records/formFields/FieldList.tsx'
import { toText } from '#web/records/form/fields.ts'
import { RecordField } from '#web/records/form/RecordField.tsx'
import type { FieldProps } from '#web/records/form/RecordInputs.tsx'
import { useInvalidInputFocus } from '../useInvalidInputFocus.ts'
import { describeQuestions, findQuestionErrors, readQuestions, writeQuestions } from './questionsText.ts'
import classes from '../bookingLinks.module.css'

/** Visitors cannot send files with a booking. */
const questionTypes = fieldTypes.filter((type) => type !== 'file')

/** The questions of a booking link. The value of the field is JSON. */
export function QuestionsField({ editor, field }: FieldProps) {
  const { form } = editor
  const container = useInvalidInputFocus(form.errors, field)
  const text = toText(form.getValues()[field])
  const error = form.errors[field]
  const message = typeof error === 'string' ? error : ''
  const questionErrors = message ? findQuestionErrors(text) : {}
  const errors = Object.keys(questionErrors).length > 0 ? questionErrors : { '': message }
  return (
    <RecordField editor={editor} field={field} renderValue={(value) => describeQuestions(readQuestions(value))}>
      {/* focused when the questions are refused and none of them is marked */}
      <div className={`${classes['questions']} ${classes['inputs']}`} ref={container} tabIndex={-1} data-path={field}>
        <p>Visitors answer them below their name, email and phone. You read the answers in the booking.</p>
        <FieldList
          label="Questions"
          addLabel="Add question"
          maxFields={maxQuestions}
          types={questionTypes}
          fields={readQuestions(text)}
          savedFields={readQuestions(toText(editor.startingEdit.base[field]))}
          errors={errors}
          onChange={(fields) => form.setFieldValue(field, writeQuestions(fields))}
        />
      </div>
    </RecordField>
  )
}
