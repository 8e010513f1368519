/** The choice for a column of contacts that is not imported. A column without a field is kept as additional data. */
export const leftOutField = 'left_out'

/** The fields to which the columns of a file can be mapped, by record kind. */
export const importFields = {
  contact: [
    'full_name',
    'first_name',
    'middle_name',
    'last_name',
    'email',
    'phone',
    'mobile_phone',
    'company',
    'title',
    'department',
    'reports_to',
    'mailing_street',
    'postal_code_and_city',
    'mailing_city',
    'mailing_state',
    'mailing_postal_code',
    'mailing_country',
    'lead_source',
    'tags',
    'description',
    'notes',
    leftOutField,
  ],
  company: ['name', 'industry', 'website', 'phone', 'email', 'employees_count', 'tags'],
  deal: ['title', 'stage', 'value', 'probability', 'expected_close_date', 'contact_name', 'company_name', 'tags', 'description'],
  task: ['title', 'status', 'priority', 'due_date', 'contact_name', 'deal_title', 'description'],
} as const
