import { locale } from "../../api/locale.ts";

/** An amount as people write it: "$29.90". `currency` is ISO 4217. */
export const moneyText = (amount: number, currency: string): string => locale.price(amount, currency);
