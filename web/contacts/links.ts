/** The number to reach somebody at: the mobile's when there is no other. */
export const numberOf = ({ phone, mobile_phone }: { phone: string; mobile_phone: string }): string => phone || mobile_phone
