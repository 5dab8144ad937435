/** An amount as people write it: "$29.90". `currency` is ISO 4217. */
export const moneyText = (amount: number, currency: string): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);
