/** What a provider holds for the marketplace. */
export const assetsOf = (provider: string): string => `assets:${provider}`;

/** Followed by the id of a producer, the account of what they are owed. */
export const producersAccounts = "liabilities:producers:";
export const producerAccount = (producerId: number): string => `${producersAccounts}${producerId}`;

/** What buyers are owed: they paid for orders that failed. */
export const buyersAccount = "liabilities:buyers";
