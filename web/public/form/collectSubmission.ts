import { groupFields, readFieldValues, trapFieldName } from '#contract/visitorForms.ts'

/** Returns what the visitor has entered, as a part of the request body. Files are in base64. */
export async function collectSubmission(form: HTMLFormElement): Promise<object> {
  const entries = new FormData(form)
  const files: object[] = []
  for (const [name, group] of groupFields(entries))
    for (const entry of group)
      if (entry instanceof File && entry.name !== '')
        files.push({ field_name: name, file_name: entry.name, mime_type: entry.type, content: await readBase64(entry) })
  const parameters = Object.fromEntries([...new URLSearchParams(location.search)].filter(([name, value]) => isShort(name, value)))
  return {
    values: readFieldValues(entries),
    files,
    [trapFieldName]: readText(entries.get(trapFieldName)),
    parameters,
    embedded_in: parameters['page'] ?? '',
  }
}

/** Whether the server takes a parameter of the address. Longer ones are not sent, because the visitor could not correct them. */
const isShort = (name: string, value: string): boolean => name.length <= 100 && value.length <= 2000

const readText = (entry: FormDataEntryValue | null): string => (typeof entry === 'string' ? entry : '')

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read')))
    reader.readAsDataURL(file)
  })
}
