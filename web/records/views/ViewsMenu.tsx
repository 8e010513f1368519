import { Button } from '@mantine/core'
import { IconBookmark, IconBookmarkPlus, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { lazyPart } from '#web/lib/lazyPart.ts'
import type { View } from '#contract/views.ts'
import type { ListSettings, ChangeSettings } from '#web/records/address/listSettings.ts'
import type { Floating } from '#web/ui/floatingParts.ts'
import { MenuButton } from '#web/ui/MenuButton.tsx'
import classes from './ViewsMenu.module.css'
import {
  viewsQuery,
  emptyAddress,
  formatViewAddress,
  hasOwnSettings,
  parseViewSettings,
  saveView,
  updateView,
  renameView,
  deleteView,
  type ViewedKind,
} from './views.ts'

// `lazyPart` adds the property `onLoadCancelled`: it is called if the code cannot be loaded, or if the user presses Escape before it is
// loaded
const NameDialog = lazyPart(() => import('#web/records/form/NameDialog.tsx').then((module) => module.NameDialog))

/** `settings` are the current settings of the list. `changeSettings` gets the settings of a view when the user opens it. */
type ViewsMenuProps = { kind: ViewedKind; settings: ListSettings; changeSettings: ChangeSettings }

const iconProps = { size: 16, stroke: 1.75 }
/** The value of the radio group when no item is checked. */
const noItem = 'none'

/** Opens, saves, updates, renames and deletes the saved views of a list. */
export function ViewsMenu({ kind, settings, changeSettings }: ViewsMenuProps) {
  /** The view whose name the dialog asks for; undefined while the dialog is closed. */
  const [viewToName, setViewToName] = useState<'new' | View>()
  const { data } = useQuery(viewsQuery)
  const views = (data?.rows ?? []).filter(({ list }) => list === kind.plural)
  const address = formatViewAddress(kind, settings)
  const isTabOpen = kind.wholeListKind !== undefined
  const hasSettings = hasOwnSettings(kind, settings)
  /** The saved view whose settings the list has now, also in a tab that limits the rows. A tab without own settings shows no view. */
  const unchangedView =
    isTabOpen && !hasSettings ? undefined : views.find((view) => formatViewAddress(kind, parseViewSettings(kind, view)) === address)
  const itemOfAddress = address === emptyAddress ? emptyAddress : (unchangedView?.id ?? noItem)
  const checkedItem = isTabOpen ? noItem : itemOfAddress // a checked item does nothing, and in a tab each item opens another list
  const editedView = useEditedView(unchangedView, hasSettings, views)
  const button = useRef<HTMLButtonElement>(null)
  const currentView = unchangedView ?? editedView
  const close = () => setViewToName(undefined)
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={240}
        button={
          <Button
            ref={button}
            variant="subtle"
            color="gray"
            leftSection={<IconBookmark {...iconProps} aria-hidden />}
            aria-label={getButtonLabel(unchangedView, editedView)}
          >
            <span className={classes['name']}>{currentView?.name ?? 'Views'}</span>
            {editedView && <span className={classes['edited']}>edited</span>}
          </Button>
        }
      >
        {(Menu) => (
          <>
            <Menu.RadioGroup
              value={checkedItem}
              onChange={(id) => {
                const view = views.find((each) => each.id === id)
                changeSettings(parseViewSettings(kind, view ?? { address: emptyAddress }), { addsHistoryEntry: true, opensWholeList: true })
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
            {hasSettings && <Menu.Divider />}
            {unchangedView && <RenameAndDeleteItems Menu={Menu} view={unchangedView} onRename={() => setViewToName(unchangedView)} />}
            {editedView && (
              <Menu.Item
                leftSection={<IconRefresh {...iconProps} />}
                classNames={{ itemLabel: classes['view'] ?? '' }}
                title={editedView.name}
                onClick={() => void updateView(editedView.id, kind, settings)}
              >
                Update “{editedView.name}”
              </Menu.Item>
            )}
            {hasSettings && !unchangedView && (
              <Menu.Item leftSection={<IconBookmarkPlus {...iconProps} />} onClick={() => setViewToName('new')}>
                {editedView ? 'Save as new view' : 'Save view'}
              </Menu.Item>
            )}
          </>
        )}
      </MenuButton>
      {hasSettings && !unchangedView && (
        <Button variant="subtle" className={classes['save'] ?? ''} onClick={() => setViewToName('new')}>
          Save view
        </Button>
      )}
      {viewToName === 'new' && (
        <NameDialog
          title="Save view"
          description="Search, filters, sort and columns are kept. A view of the same name is replaced."
          onSubmit={(name) => saveView(kind, name, settings)}
          onLoadCancelled={close}
          onClose={close}
          opener={button}
        />
      )}
      {typeof viewToName === 'object' && (
        <NameDialog
          title="Rename view"
          initialName={viewToName.name}
          onSubmit={(name) => renameView(viewToName.id, name)}
          onLoadCancelled={close}
          onClose={close}
          opener={button}
        />
      )}
    </>
  )
}

function getButtonLabel(unchangedView: View | undefined, editedView: View | undefined): string {
  if (unchangedView) return `View: ${unchangedView.name}`
  return editedView ? `View: ${editedView.name}, edited` : 'Views'
}

type RenameAndDeleteItemsProps = Pick<Floating, 'Menu'> & { view: View; onRename: () => void }

/** The menu items that rename and delete a view. */
const RenameAndDeleteItems = ({ Menu, view, onRename }: RenameAndDeleteItemsProps) => (
  <>
    <Menu.Item leftSection={<IconPencil {...iconProps} />} onClick={onRename}>
      Rename this view
    </Menu.Item>
    <Menu.Item data-danger leftSection={<IconTrash {...iconProps} />} onClick={() => void deleteView(view.id)}>
      Delete this view
    </Menu.Item>
  </>
)

/**
 * Returns the view that the list showed before the user changed the search text, the filters, the sort or the columns. The menu can save
 * this change in the view. When the list has no own settings any more, the view is forgotten.
 */
function useEditedView(unchangedView: View | undefined, hasSettings: boolean, views: readonly View[]): View | undefined {
  const [id, setId] = useState<string>()
  const next = hasSettings ? (unchangedView?.id ?? id) : undefined
  if (next !== id) setId(next)
  return unchangedView ? undefined : views.find((view) => view.id === next)
}
