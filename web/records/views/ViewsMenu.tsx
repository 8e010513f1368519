import { Button, Menu } from '@mantine/core'
import { IconBookmark, IconBookmarkPlus, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import type { View } from '#contract/views.ts'
import type { ListSearch, ChangeSearch } from '#web/records/address/listSearch.ts'
import classes from './ViewsMenu.module.css'
import { deleteView, renameView, saveView, searchOfView, updateView, viewAddress, viewsQuery, type ViewedKind } from './views.ts'

const ViewNameDialog = lazy(() => import('./ViewNameDialog.tsx').then((module) => ({ default: module.ViewNameDialog })))

type ViewsMenuProps = { kind: ViewedKind; search: ListSearch; change: ChangeSearch }

const icon = { size: 16, stroke: 1.75 }
const emptyAddress = ''

/** Opens, saves, updates, renames and deletes the saved views of a list. */
export function ViewsMenu({ kind, search, change }: ViewsMenuProps) {
  const [naming, setNaming] = useState<'new' | View>()
  const { data } = useQuery(viewsQuery)
  const views = (data?.rows ?? []).filter(({ list }) => list === kind.plural)
  const address = viewAddress(kind, search)
  const open = views.find((view) => viewAddress(kind, searchOfView(kind, view)) === address)
  const editedView = useEditedView(open, address, views)
  const button = useRef<HTMLButtonElement>(null)
  const shown = open ?? editedView
  const close = () => setNaming(undefined)
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button
            ref={button}
            variant="subtle"
            color="gray"
            leftSection={<IconBookmark {...icon} aria-hidden />}
            aria-label={shown ? `View: ${shown.name}${editedView ? ', edited' : ''}` : 'Views'}
          >
            <span className={classes['name']}>{shown?.name ?? 'Views'}</span>
            {editedView && <span className={classes['edited']}>edited</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={address === emptyAddress ? emptyAddress : (open?.id ?? 'unsaved')}
            onChange={(id) => {
              const view = views.find((each) => each.id === id)
              change(searchOfView(kind, view ?? { address: emptyAddress }), 'new entry')
            }}
          >
            <Menu.RadioItem value={emptyAddress} closeMenuOnClick>
              All {kind.plural}
            </Menu.RadioItem>
            {views.map(({ id, name }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick classNames={{ itemLabel: classes['view'] ?? '' }} title={name}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {address !== emptyAddress && <Menu.Divider />}
          {open && <OpenView view={open} onRename={() => setNaming(open)} />}
          {editedView && (
            <Menu.Item
              leftSection={<IconRefresh {...icon} />}
              classNames={{ itemLabel: classes['view'] ?? '' }}
              title={editedView.name}
              onClick={() => void updateView(editedView.id, kind, search)}
            >
              Update “{editedView.name}”
            </Menu.Item>
          )}
          {address !== emptyAddress && !open && (
            <Menu.Item leftSection={<IconBookmarkPlus {...icon} />} onClick={() => setNaming('new')}>
              {editedView ? 'Save as new view' : 'Save view'}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {address !== emptyAddress && !open && (
        <Button variant="subtle" className={classes['save'] ?? ''} onClick={() => setNaming('new')}>
          Save view
        </Button>
      )}
      <Suspense>
        {naming === 'new' && (
          <ViewNameDialog
            title="Save view"
            words="Search, filters, sort and columns are kept. A view of the same name is replaced."
            onName={(name) => saveView(kind, name, search)}
            onClose={close}
            opener={button}
          />
        )}
        {typeof naming === 'object' && (
          <ViewNameDialog
            title="Rename view"
            name={naming.name}
            onName={(name) => renameView(naming.id, name)}
            onClose={close}
            opener={button}
          />
        )}
      </Suspense>
    </>
  )
}

const OpenView = ({ view, onRename }: { view: View; onRename: () => void }) => (
  <>
    <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onRename}>
      Rename this view
    </Menu.Item>
    <Menu.Item data-danger leftSection={<IconTrash {...icon} />} onClick={() => void deleteView(view.id)}>
      Delete this view
    </Menu.Item>
  </>
)

/** The view that was open before search, filters, sort or columns were changed. Showing all rows resets it. */
function useEditedView(open: View | undefined, address: string, views: readonly View[]): View | undefined {
  const [id, setId] = useState<string>()
  const next = address === emptyAddress ? undefined : (open?.id ?? id)
  if (next !== id) setId(next)
  return open ? undefined : views.find((view) => view.id === next)
}
