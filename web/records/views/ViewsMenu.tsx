import { Button, Menu } from '@mantine/core'
import { IconBookmark, IconBookmarkPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ListSearch } from '#web/records/list/listSearch.ts'
import classes from '#web/records/list/ListTools.module.css'
import type { ChangeSearch } from '#web/records/list/useListSearch.ts'
import { deleteView, searchOfView, viewAddress, viewsQuery, type ViewedKind } from './views.ts'

const SaveViewDialog = lazy(() => import('./SaveViewDialog.tsx').then((module) => ({ default: module.SaveViewDialog })))

type ViewsMenuProps = { kind: ViewedKind; search: ListSearch; change: ChangeSearch }

const icon = { size: 16, stroke: 1.75 }
const everything = ''

/** The saved views of a list: which one is open, the others, and how what is shown now becomes one. */
export function ViewsMenu({ kind, search, change }: ViewsMenuProps) {
  const [saving, setSaving] = useState(false)
  const { data } = useQuery(viewsQuery)
  const views = (data?.rows ?? []).filter(({ list }) => list === kind.many)
  const address = viewAddress(kind, search)
  const open = views.find((view) => viewAddress(kind, searchOfView(kind, view)) === address)
  const all = `All ${kind.many}`
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            className={classes['tool'] ?? ''}
            leftSection={<IconBookmark {...icon} aria-hidden />}
            aria-label={open ? `View: ${open.name}` : 'Views'}
          >
            {open?.name ?? 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={address === everything ? everything : (open?.id ?? 'unsaved')}
            onChange={(id) => {
              const view = views.find((each) => each.id === id)
              change(searchOfView(kind, view ?? { address: everything }), 'new entry')
            }}
          >
            <Menu.RadioItem value={everything} closeMenuOnClick>
              {all}
            </Menu.RadioItem>
            {views.map(({ id, name }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick className={classes['view'] ?? ''} title={name}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {address !== everything && (
            <>
              <Menu.Divider />
              {open ? (
                <Menu.Item data-danger leftSection={<IconTrash {...icon} />} onClick={() => void deleteView(open.id)}>
                  Delete this view
                </Menu.Item>
              ) : (
                <Menu.Item leftSection={<IconBookmarkPlus {...icon} />} onClick={() => setSaving(true)}>
                  Save view
                </Menu.Item>
              )}
            </>
          )}
          {address === everything && views.length === 0 && (
            <Menu.Label className={classes['hint'] ?? ''}>Filter or sort the list, then save it here under a name.</Menu.Label>
          )}
        </Menu.Dropdown>
      </Menu>
      {address !== everything && !open && (
        <Button variant="subtle" className={classes['save'] ?? ''} onClick={() => setSaving(true)}>
          Save view
        </Button>
      )}
      <Suspense>{saving && <SaveViewDialog kind={kind} search={search} onClose={() => setSaving(false)} />}</Suspense>
    </>
  )
}
