import { useState, type RefObject } from 'react'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { scopeTexts, type ApiKey } from '#contract/apiKeys.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx'
import settings from '#web/ui/settings.module.css'

type KeyListProps = { rows: readonly ApiKey[]; listRef: RefObject<HTMLUListElement | null> }

export function KeyList({ rows, listRef }: KeyListProps) {
  const [keyToDelete, setKeyToDelete] = useState<ApiKey>()
  return (
    <>
      <ul ref={listRef} className={settings['rows']}>
        {rows.map((key) => (
          <KeyRow key={key.id} apiKey={key} onDelete={() => setKeyToDelete(key)} />
        ))}
      </ul>
      {keyToDelete && <DeleteKeyDialog apiKey={keyToDelete} onClose={() => setKeyToDelete(undefined)} />}
    </>
  )
}

function KeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: () => void }) {
  const { name, key_prefix, scopes, is_active, created_at, last_used_at, expires_at } = apiKey
  const isExpired = !is_active && expires_at !== null
  return (
    <li className={settings['row']}>
      <IconKey size={20} stroke={1.6} aria-hidden />
      <div className={settings['what']}>
        <p className={settings['name']}>
          <span dir="auto" title={name}>
            {name}
          </span>
          <Badge
            label={is_active ? 'Active' : isExpired ? 'Expired' : 'Inactive'}
            colour={is_active ? 'var(--f-success)' : 'var(--f-text-3)'}
            dot={is_active ? 'full' : 'ring'}
          />
        </p>
        <p className={settings['facts']}>
          <code>{key_prefix}…</code>
          <span>{scopes.map((scope) => scopeTexts[scope].label).join(', ')}</span>
          <span>
            created <RelativeTime at={created_at} />
          </span>
          <span>
            {last_used_at ? (
              <>
                last used <RelativeTime at={last_used_at} />
              </>
            ) : (
              'never used'
            )}
          </span>
          {expires_at && (
            <span>
              {isExpired ? 'expired' : 'expires'} <RelativeTime at={expires_at} />
            </span>
          )}
        </p>
      </div>
      <Button variant="subtle" color="red" onClick={onDelete} aria-label={`Delete ${name}`}>
        Delete
      </Button>
    </li>
  )
}
