import { Outlet } from '@tanstack/react-router'
import { RecordsPage } from '#web/records/list/RecordsPage.tsx'
import { companyList } from './companyList.tsx'

/** Every business that people work for; one of them opens over the list. */
export const CompaniesPage = () => (
  <>
    <RecordsPage kind={companyList} />
    <Outlet />
  </>
)
