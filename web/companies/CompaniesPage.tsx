import { Outlet } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { companyKind } from './companyKind.tsx'

/** The list of companies. A company opens in a panel over the list. */
export const CompaniesPage = () => (
  <>
    <RecordsPage kind={companyKind} />
    <Outlet />
  </>
)
