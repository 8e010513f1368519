import { Button, NativeSelect } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { textEncodings, type ImportDetails, type TextEncoding } from '#contract/imports.ts'
import { formatFileSize } from '#web/lib/format.ts'
import { openImport } from '#web/lib/importDialog.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import classes from './FileSettings.module.css'
import { PhoneFold } from './PhoneFold.tsx'
import type { ReadSettings } from './useCorrections.ts'

type FileSettingsProps = { details: ImportDetails; isReading: boolean; onRead: (settings: ReadSettings) => void }

/** The file, the findings about its format, and the settings with which it is read. */
export function FileSettings({ details, isReading, onRead }: FileSettingsProps) {
  const { kind, file_name: name, file_size: size, table } = details
  const { format, encoding, separator, sheet, sheets, has_header: hasHeader, findings } = table
  const canHaveHeader = format === 'delimited' || format === 'excel'
  return (
    <section className={classes['section']} aria-label="File">
      <div className={classes['file']}>
        <IconFileSpreadsheet size={18} stroke={1.6} aria-hidden />
        <div className={classes['fileText']}>
          <p className={classes['name']} title={name} dir="auto">
            {name}
          </p>
          <p className={classes['size']}>{formatFileSize(size)}</p>
        </div>
        <Button variant="subtle" onClick={() => openImport(kind)}>
          Change
        </Button>
      </div>
      {findings.length > 0 && (
        <ul className={classes['findings']} aria-label="What was found in the file">
          {findings.map(({ code, message }) => (
            <li key={code}>{message}</li>
          ))}
        </ul>
      )}
      {(canHaveHeader || encoding !== null) && (
        <PhoneFold title="How the file is read">
          <div className={classes['reading']}>
            {encoding !== null && (
              <NativeSelect
                label="Encoding of the letters"
                description="Choose another one if letters such as ü look wrong."
                inputWrapperOrder={['label', 'input', 'description']}
                value={encoding}
                data={encodings}
                disabled={isReading}
                onChange={({ currentTarget }) => {
                  const chosen = textEncodings.find((each) => each === currentTarget.value)
                  if (chosen) onRead({ encoding: chosen })
                }}
              />
            )}
            {separator !== null && (
              <NativeSelect
                label="Cells are separated by"
                value={separator}
                data={getSeparators(separator)}
                disabled={isReading}
                onChange={({ currentTarget }) => onRead({ separator: currentTarget.value })}
              />
            )}
            {sheets.length > 1 && (
              <NativeSelect
                label="Sheet"
                value={sheet ?? ''}
                data={sheets}
                disabled={isReading}
                onChange={({ currentTarget }) => onRead({ sheet: currentTarget.value })}
              />
            )}
            {canHaveHeader && (
              // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the checkbox is in the label
              <label className={classes['check']}>
                <Checkbox
                  label="The first row has the names of the columns"
                  checked={hasHeader}
                  disabled={isReading}
                  onToggle={() => onRead({ has_header: !hasHeader })}
                />
                <span>The first row has the names of the columns</span>
              </label>
            )}
          </div>
        </PhoneFold>
      )}
    </section>
  )
}

const encodings: { value: TextEncoding; label: string }[] = [
  { value: 'utf-8', label: 'UTF-8' },
  { value: 'windows-1252', label: 'Western European (Windows-1252)' },
  { value: 'windows-1250', label: 'Central European (Windows-1250)' },
  { value: 'windows-1254', label: 'Turkish (Windows-1254)' },
  { value: 'utf-16le', label: 'UTF-16 LE' },
  { value: 'utf-16be', label: 'UTF-16 BE' },
]

const separators = [
  { value: ',', label: 'Comma ( , )' },
  { value: ';', label: 'Semicolon ( ; )' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Vertical bar ( | )' },
]

const getSeparators = (current: string) =>
  separators.some(({ value }) => value === current) ? separators : [...separators, { value: current, label: current }]
