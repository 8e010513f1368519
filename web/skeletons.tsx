// The skeletons of the signed-in screens: what a document shows before the scripts are loaded. The server loads the build of this file and
// puts the skeletons into the documents.
import interFontAddress from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import baseline from '@mantine/core/styles/baseline.layer.css?inline'
import { renderToStaticMarkup } from 'react-dom/server'
import { accountRoutes } from '#contract/accounts.ts'
import type { FindSkeleton } from '#contract/pages.ts'
import { apiKeysEntry } from '#web/api-keys/sidebar.ts'
import { apiKeysSkeleton } from '#web/api-keys/skeleton.tsx'
import { assistantEntry } from '#web/assistant/sidebar.ts'
import { assistantSkeleton } from '#web/assistant/skeleton.tsx'
import { bookingLinksEntry } from '#web/booking-links/sidebar.ts'
import { bookingLinksSkeleton } from '#web/booking-links/skeleton.tsx'
import { bookingsEntry } from '#web/bookings/sidebar.ts'
import { bookingsSkeleton } from '#web/bookings/skeleton.tsx'
import { companiesEntry } from '#web/companies/sidebar.ts'
import { companiesSkeleton } from '#web/companies/skeleton.tsx'
import { contactsEntry } from '#web/contacts/sidebar.ts'
import { contactsSkeleton } from '#web/contacts/skeleton.tsx'
import { dashboardEntry } from '#web/dashboard/sidebar.ts'
import { dashboardSkeleton } from '#web/dashboard/skeleton.tsx'
import { dealsEntry } from '#web/deals/sidebar.ts'
import { dealsSkeleton } from '#web/deals/skeleton.tsx'
import { filesEntry } from '#web/files/sidebar.ts'
import { filesSkeleton } from '#web/files/skeleton.tsx'
import { leadFormsEntry } from '#web/lead-forms/sidebar.ts'
import { leadFormsSkeleton } from '#web/lead-forms/skeleton.tsx'
import type { SidebarEntry } from '#web/lib/routes.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import base from '#web/shell/theme/base.css?inline'
import frame from '#web/shell/Frame.module.css?inline'
import { FrameSkeleton } from '#web/shell/FrameSkeleton.tsx'
import frameSkeleton from '#web/shell/FrameSkeleton.module.css?inline'
import sidebar from '#web/shell/Sidebar.module.css?inline'
import { crmSettingsEntry } from '#web/sync/sidebar.ts'
import { crmSkeleton } from '#web/sync/skeleton.tsx'
import { tasksEntry } from '#web/tasks/sidebar.ts'
import { tasksEntryRequests, tasksSkeleton } from '#web/tasks/skeleton.tsx'
import tokens from '#web/tokens.css?inline'
import { trashEntry } from '#web/trash/sidebar.ts'
import bar from '#web/ui/PageBar.module.css?inline'
import { PageSkeleton } from '#web/ui/PageSkeleton.tsx'
import page from '#web/ui/PageSkeleton.module.css?inline'
import logo from '#web/ui/Logo.module.css?inline'
import tabs from '#web/ui/TabLinks.module.css?inline'

/** The entries in the order of the sidebar. */
const entries: SidebarEntry[] = [
  dashboardEntry,
  assistantEntry,
  filesEntry,
  leadFormsEntry,
  apiKeysEntry,
  contactsEntry,
  companiesEntry,
  dealsEntry,
  tasksEntry,
  bookingsEntry,
  bookingLinksEntry,
  crmSettingsEntry,
  trashEntry,
]
const skeletons = [
  dashboardSkeleton,
  assistantSkeleton,
  filesSkeleton,
  leadFormsSkeleton,
  apiKeysSkeleton,
  contactsSkeleton,
  companiesSkeleton,
  dealsSkeleton,
  tasksSkeleton,
  bookingsSkeleton,
  bookingLinksSkeleton,
  crmSkeleton,
]
/** The font of Latin letters, for visits on which the browser has it already. The stylesheet of the application has the same rule. */
const font = `@font-face{font-family:'Inter Variable';font-display:swap;font-weight:100 900;src:url(${interFontAddress}) format('woff2-variations')}`
const styles = [font, base, baseline, tokens, frame, sidebar, logo, bar, tabs, page, frameSkeleton].join('')

/**
 * Returns a script that collapses the sidebar of the skeleton, so that it shows only icons, under the conditions of `useSidebar` in
 * shell/Sidebar.tsx. The script runs before the browser paints. The server replaces `NONCE`. `needsWidth`: the page needs so much width
 * that the sidebar is collapsed in windows below 1440 px.
 */
const renderCollapseScript = (needsWidth: boolean): string => `<script nonce="NONCE">
const isIn = (query) => matchMedia(query).matches
const lacksWidth = ${needsWidth} && isIn('(max-width: 1439px)')
const isCollapsed = lacksWidth
  ? !document.cookie.includes('sidebar-beside=open')
  : isIn('(max-width: 1023px)') || document.cookie.includes('sidebar=rail')
if (isCollapsed && isIn('(min-width: 768px)'))
  for (const element of document.querySelectorAll('[data-can-collapse]')) element.dataset.collapsed = 'true'
</script>`

/**
 * Returns the skeleton of the screen with this address, and the paths of the requests that the screen sends first. A screen without a
 * skeleton of its own gets the frame with an empty page.
 */
export const findSkeleton: FindSkeleton = (url) => {
  const [path = '', query = ''] = url.split('?')
  const screen = skeletons.find((each) => path === each.path || (each.includesSubpaths && path.startsWith(`${each.path}/`)))
  const currentEntry = entries.find(({ address, isExact }) => path === address || (!isExact && path.startsWith(`${address}/`)))
  const needsWidth = currentEntry?.needsWidth?.(Object.fromEntries(new URLSearchParams(query))) ?? false
  const hasFirstRequests = url === screen?.path // with parameters, such as a filter, the screen sends other requests
  return {
    title: screen ? `${screen.title} - Foyer` : 'Foyer',
    styles: styles + (screen?.styles ?? ''),
    html: getHtml(screen, currentEntry) + renderCollapseScript(needsWidth),
    firstRequests: [
      ...new Set([accountRoutes.whoAmI.path, ...tasksEntryRequests(), ...(hasFirstRequests ? (screen.firstRequests?.() ?? []) : [])]),
    ],
  }
}

/** The rendered HTML; the key is the path of the screen and the address of the current entry of the sidebar. */
const renderedHtml = new Map<string, string>()

function getHtml(screen: ScreenSkeleton | undefined, currentEntry: SidebarEntry | undefined): string {
  const key = `${screen?.path} ${currentEntry?.address}`
  const html = renderedHtml.get(key) ?? renderHtml(screen, currentEntry)
  renderedHtml.set(key, html)
  return html
}

const renderHtml = (screen: ScreenSkeleton | undefined, currentEntry: SidebarEntry | undefined): string =>
  renderToStaticMarkup(
    <FrameSkeleton entries={entries} currentEntry={currentEntry} title={screen?.title ?? 'the page'}>
      <PageSkeleton title={screen?.title} tabs={screen?.tabs} searchLabel={screen?.searchLabel}>
        {screen?.content}
      </PageSkeleton>
    </FrameSkeleton>,
  )
